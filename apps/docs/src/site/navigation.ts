import { guideGroups } from "../pages/guide-groups.ts";
import type { Page, Section } from "../pages/page.ts";

export const sections: readonly { section: Section; title: string; path: string }[] = [
  { section: "guides", title: "Guides", path: "guides/first-call" },
  { section: "reference", title: "Reference", path: "reference/gateway" },
  { section: "reference", title: "Identity provider", path: "reference/auth" },
  { section: "events", title: "Events", path: "events/index" },
  { section: "errors", title: "Errors", path: "errors/index" },
  { section: "changelog", title: "Changelog", path: "changelog" },
];

export type NavigationGroup = { title: string; pages: readonly Page[] };

export function createNavigation(pages: readonly Page[]): NavigationGroup[] {
  const byPath = new Map(pages.map((page) => [page.path, page]));
  const guides = guideGroups.map(({ title, paths }) => ({
    title,
    pages: paths.flatMap((path) => byPath.get(path) ?? []),
  }));
  return [
    ...guides,
    { title: "Reference", pages: pages.filter(({ section }) => section === "reference") },
    { title: "Events", pages: pages.filter(({ kind }) => kind === "event") },
    { title: "States", pages: pages.filter(({ kind }) => kind === "states") },
    { title: "Errors", pages: pages.filter(({ section }) => section === "errors") },
    { title: "More", pages: pages.filter(({ kind }) => kind === "changelog" || kind === "glossary") },
  ];
}
