/** Marks in the table of contents where the reader is. */
export function markCurrentHeading(): void {
  const links = Array.from(document.querySelectorAll<HTMLAnchorElement>(".contents a"));
  const headings = links.flatMap((link) => document.getElementById(decodeURIComponent(link.hash.slice(1))) ?? []);
  if (headings.length === 0) {
    return;
  }
  const mark = (): void => {
    const passed = headings.filter((heading) => heading.getBoundingClientRect().top < 120);
    const current = passed.at(-1) ?? headings[0];
    for (const link of links) {
      link.classList.toggle("current", decodeURIComponent(link.hash.slice(1)) === current?.id);
    }
  };
  addEventListener("scroll", mark, { passive: true });
  mark();
}
