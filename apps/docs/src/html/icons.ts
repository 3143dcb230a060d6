/** Drawn by us, of lines, in the colour of the text around them. */
const lines = (paths: string): string =>
  `<svg viewBox="0 0 24 24" width="18" height="18" fill="none" stroke="currentColor" stroke-width="1.75" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">${paths}</svg>`;

export const icons = {
  search: lines('<circle cx="11" cy="11" r="6.5"/><path d="m20 20-4.2-4.2"/>'),
  menu: lines('<path d="M4 7h16M4 12h16M4 17h16"/>'),
  theme: lines(
    '<circle cx="12" cy="12" r="8.25"/><path d="M12 3.75v16.5a8.25 8.25 0 0 0 0-16.5z" fill="currentColor"/>',
  ),
};
