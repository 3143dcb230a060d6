/** Marks the reader's position in the table of contents, or in the outline of a reference. */
export function markCurrentHeading(): void {
  const links = Array.from(document.querySelectorAll<HTMLAnchorElement>(".contents a, .outline a"));
  const headings = links.flatMap((link) => document.getElementById(decodeURIComponent(link.hash.slice(1))) ?? []);
  if (headings.length === 0) {
    return;
  }
  // A part of a reference is measured as a whole, because its contents may not be laid out yet.
  const tops = headings.map((heading) => heading.closest(".part") ?? heading);
  let shown = "";
  const mark = (): void => {
    const passed = headings.filter((_, index) => (tops[index]?.getBoundingClientRect().top ?? 0) < 120);
    const current = (passed.at(-1) ?? headings[0])?.id ?? "";
    if (current === shown) {
      return;
    }
    shown = current;
    for (const link of links) {
      const isHere = decodeURIComponent(link.hash.slice(1)) === current;
      link.classList.toggle("current", isHere);
      if (isHere && scrollY > 0) {
        link.scrollIntoView({ block: "nearest" });
      }
    }
  };
  addEventListener("scroll", mark, { passive: true });
  mark();
}
