import { readFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { repository, workspace } from "../folders.ts";
import { guideGroups } from "./guide-groups.ts";
import { describeMarkdown, type Page } from "./page.ts";
import { setUpGuide } from "./set-up-guide.ts";
import { showFiles } from "./show-files.ts";

export async function readWrittenPages(): Promise<Page[]> {
  return Promise.all([
    readPage("index", { kind: "home", section: null }),
    ...guideGroups.flatMap(({ paths }) => paths.map((path) => readPage(path, { kind: "guide", section: "guides" }))),
    readPage("changelog", { kind: "changelog", section: "changelog", file: join(repository, "CHANGELOG.md") }),
    readPage("glossary", { kind: "glossary", section: null, file: join(repository, "GLOSSARY.md") }),
    readPage("404", { kind: "missing", section: null }),
  ]);
}

async function readPage(
  path: string,
  { file = join(workspace, `${path}.md`), ...page }: Pick<Page, "kind" | "section"> & { file?: string },
): Promise<Page> {
  const written = await showFiles(await readFile(file, "utf8"));
  const markdown = page.kind === "guide" ? setUpGuide(path, written) : written;
  const found = describeMarkdown(markdown);
  if (found.title === "") {
    throw new Error(`${file} must begin with its title: # Title`);
  }
  const description = path === "changelog" ? "Changes of the API and around it." : found.description;
  return { path, ...page, title: found.title, description, markdown, sources: [relative(repository, file)] };
}
