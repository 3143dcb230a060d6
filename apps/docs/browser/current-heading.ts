/** Marks in the table of contents, or in the outline of a reference, where the reader is. */
export function markCurrentHeading(): void {
  const links = Array.from(document.querySelectorAll<HTMLAnchorElement>(".contents a, .outline a"));
  const headings = links.flatMap((link) => document.getElementById(decodeURIComponent(link.hash.slice(1))) ?? []);
  if (headings.length === 0) {
    return;
  }
  // Of a part of a reference the whole, which is known before what is in it is laid out.
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
