// Making elements. Texts of runs are hostile: they become text nodes and attributes, never markup.

const SVG_NS = 'http://www.w3.org/2000/svg';

/** Sets attributes; `null`, `undefined` and `false` leave one out, functions become listeners. */
function assign(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === 'function') element.addEventListener(name, value);
    else element.setAttribute(name, value === true ? '' : value);
  }
  return element;
}

/** Appends nodes and texts; lists are flattened, nothing is skipped silently but `null`, `undefined` and `false`. */
function append(element, children) {
  for (const child of children.flat(Infinity)) {
    if (child !== null && child !== undefined && child !== false) element.append(child);
  }
  return element;
}

/** An HTML element: el('a', { href: '#x', click: open }, 'text', other). */
function el(name, attributes = {}, ...children) {
  return append(assign(document.createElement(name), attributes), children);
}

/** The same in SVG. */
function svg(name, attributes = {}, ...children) {
  return append(assign(document.createElementNS(SVG_NS, name), attributes), children);
}

/** Copies text, and says so on the button that was pressed. */
async function copy(button, text) {
  const before = button.textContent;
  let done = false;
  try {
    await navigator.clipboard.writeText(text);
    done = true;
  } catch {
    // Pages from files may not have the clipboard; the old way works without a permission.
    const area = el('textarea', { class: 'offscreen', 'aria-hidden': 'true' });
    area.value = text;
    button.after(area);
    area.select();
    done = document.execCommand('copy');
    area.remove();
    button.focus();
  }
  announce(done ? 'Copied' : 'Copying is not permitted here: select the text instead');
  button.textContent = done ? 'Copied' : 'Not permitted';
  setTimeout(() => { button.textContent = before; }, 1500);
}

/** Says something to readers who cannot see it happen. */
function announce(text) {
  const region = document.querySelector('dialog[open] [data-live]') ?? document.getElementById('live');
  // The same sentence twice is said twice.
  if (region) region.textContent = region.textContent === text ? `${text}\u00a0` : text;
}

/** Calls `work` at the next frame, once for however many calls until then. */
function framed(work) {
  let waiting = false;
  return () => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => { waiting = false; work(); });
  };
}
