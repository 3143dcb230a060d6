export type FoundLink = { from: string; href: string };

const entities: Readonly<Record<string, string>> = { "&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": '"' };

/** The targets of everything in a page that leads or loads somewhere. */
export function findLinks(from: string, html: string): FoundLink[] {
  return Array.from(html.matchAll(/\s(?:href|src|data-search|data-index)="([^"]*)"/g), ([, href = ""]) => ({
    from,
    href: href.replaceAll(/&\w+;/g, (entity) => entities[entity] ?? entity),
  }));
}

/** The ids that a link may name behind its `#`. */
export function findIds(html: string): Set<string> {
  return new Set(Array.from(html.matchAll(/\sid="([^"]*)"/g), ([, id = ""]) => id));
}
