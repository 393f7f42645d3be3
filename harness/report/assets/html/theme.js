// Light or dark: as the system wants it, until the reader chooses.

/** Prepares the switch of the page. */
function prepareTheme(button) {
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const stored = () => { try { return localStorage.getItem('tilebench-theme'); } catch { return null; } };
  const root = document.documentElement;
  const show = () => {
    const isDark = root.dataset.theme ? root.dataset.theme === 'dark' : dark.matches;
    button.setAttribute('aria-pressed', String(isDark));
    button.setAttribute('aria-label', 'Dark colours');
    button.textContent = isDark ? '☀ Light' : '☾ Dark';
  };
  if (['light', 'dark'].includes(stored())) root.dataset.theme = stored();
  button.addEventListener('click', () => {
    root.dataset.theme = button.getAttribute('aria-pressed') === 'true' ? 'light' : 'dark';
    // Pages from files may not be allowed to keep anything.
    try { localStorage.setItem('tilebench-theme', root.dataset.theme); } catch { /* for this visit only */ }
    show();
  });
  dark.addEventListener('change', show);
  button.hidden = false;
  show();
}
