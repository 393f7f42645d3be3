// The controls above the table of runs: a menu for each column to filter by, free text, the choice of columns.

/** Menus of more boxes than these have a field to find one. */
const LONG_MENU = 15;

/** A menu of check boxes that opens below its button. */
class Menu {
  /** @param changed called with the label of a box and whether it is checked */
  constructor(title, changed) {
    this.title = title;
    this.summary = el('summary');
    this.list = el('div', { class: 'choices', role: 'group', 'aria-label': title });
    this.element = el('details', { class: 'menu' }, this.summary, this.list);
    this.boxes = new Map();
    this.changed = changed;
    this.element.addEventListener('keydown', (event) => {
      if (event.key !== 'Escape' || !this.element.open) return;
      event.stopPropagation();
      this.element.open = false;
      this.summary.focus();
    });
    // To the left where there is no room to the right.
    this.element.addEventListener('toggle', () => {
      this.list.classList.remove('leftward');
      this.list.classList.toggle('leftward', this.list.getBoundingClientRect().right > document.documentElement.clientWidth);
    });
    // One menu is open at a time, and none when the reader goes elsewhere.
    document.addEventListener('pointerdown', (event) => {
      if (!this.element.contains(event.target)) this.element.open = false;
    });
    this.element.addEventListener('focusout', (event) => {
      if (event.relatedTarget && !this.element.contains(event.relatedTarget)) this.element.open = false;
    });
  }

  /** Adds a heading. */
  heading(text) {
    this.list.append(el('p', { class: 'group' }, text));
  }

  /** Adds a box. */
  add(key, label) {
    const box = el('input', { type: 'checkbox', value: key, change: () => this.changed(key, box.checked) });
    const number = el('span', { class: 'count' });
    this.list.append(el('label', {}, box, el('span', {}, label), number));
    this.boxes.set(key, { box, number, line: this.list.lastChild });
  }

  /** Adds a field above the boxes that leaves those with its text. */
  searchable() {
    const field = el('input', { type: 'search', 'aria-label': `Find in ${this.title}`, placeholder: 'find …' });
    field.addEventListener('input', () => {
      const text = field.value.toLowerCase();
      for (const [key, { line }] of this.boxes) line.hidden = !key.toLowerCase().includes(text);
    });
    this.list.prepend(field);
  }

  /** Sets what is checked, and the numbers behind the labels. */
  show(checked, numbers) {
    for (const [key, { box, number, line }] of this.boxes) {
      box.checked = checked.has(key);
      if (!numbers) continue;
      number.textContent = count(numbers.get(key) ?? 0);
      line.classList.toggle('nothing', !numbers.get(key));
    }
  }

  /** Says on the button what is chosen. */
  say(text, isActive) {
    this.summary.replaceChildren(el('span', { class: 'of' }, `${this.title}:`), ` ${text}`);
    this.element.classList.toggle('active', isActive);
  }
}

class Filters {
  /** @param changed called after a change of the query; `columns` after one of the columns */
  constructor(place, query, { changed, columns }) {
    Object.assign(this, { query, changed });
    this.search = el('input', { type: 'search', id: 'search', placeholder: 'instance, message, id …', autocomplete: 'off' });
    this.search.addEventListener('input', () => { query.text = this.search.value; changed(); });
    this.menus = new Map(query.dimensions.map((name) => [name, this.#menu(name)]));
    this.columns = new Menu('Columns', columns);
    this.count = el('p', { class: 'found', role: 'status', 'aria-live': 'polite' });
    this.cleared = el('button', { type: 'button', class: 'clear', click: () => { query.clear(); changed(); } }, 'Clear filters');
    this.selection = el('button', { type: 'button', class: 'chip', click: () => { query.selection = null; changed(); } });
    place.replaceChildren(
      el('label', { class: 'search' }, el('span', {}, 'Search'), this.search),
      ...[...this.menus.values()].map((menu) => menu.element),
      this.columns.element,
      el('div', { class: 'result' }, this.count, this.selection, this.cleared),
    );
  }

  /** Shows the state of the query; `counts` as `Query.run` gives them. */
  show(found, counts) {
    const { query } = this;
    if (this.search.value !== query.text) this.search.value = query.text;
    for (const [name, menu] of this.menus) {
      const chosen = query.chosen.get(name);
      const of = counts.get(name);
      menu.show(chosen, new Map(query.options(name).map(({ code, label }) => [label, of[code]])));
      const labels = query.options(name).map((option) => option.label).filter((label) => chosen.has(label));
      menu.say(labels.length > 2 ? `${labels.length} chosen` : labels.join(', ') || 'all', chosen.size > 0);
    }
    const all = query.store.size;
    const text = found === all ? plural(all, 'run') : `${count(found)} of ${plural(all, 'run')}`;
    if (this.count.textContent !== text) this.count.textContent = text;
    this.cleared.hidden = !query.isFiltered;
    this.selection.hidden = query.selection === null;
    if (query.selection) this.selection.textContent = `${query.selection.label} ✕`;
  }

  /** Fills the menu of columns. */
  setColumns(names, chosen) {
    for (const [group, columns] of grouped(names)) {
      this.columns.heading(group);
      for (const name of columns) this.columns.add(name, columnInfo(name).heading);
    }
    this.showColumns(chosen);
  }

  showColumns(chosen) {
    this.columns.show(new Set(chosen));
    this.columns.say(count(chosen.length), false);
  }

  #menu(name) {
    const { heading } = columnInfo(name);
    const menu = new Menu(heading[0].toUpperCase() + heading.slice(1), (label, isChecked) => {
      const chosen = this.query.chosen.get(name);
      if (isChecked) chosen.add(label); else chosen.delete(label);
      this.changed();
    });
    for (const { label } of this.query.options(name)) menu.add(label, label);
    if (menu.boxes.size > LONG_MENU) menu.searchable();
    menu.element.dataset.column = name;
    return menu;
  }
}
