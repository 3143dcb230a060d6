import MiniSearch from "minisearch";
import { searchOptions, type SearchEntry } from "../../browser/search-options.ts";
import { slugOf } from "../markdown/headings.ts";
import { plainText, type Page } from "../pages/page.ts";
import type { ApiDocument } from "../reference/api-document.ts";
import { operationAnchor, operationPath } from "../reference/operation-anchor.ts";

/**
 * The search index, with an entry for each heading and operation. It is a script and not JSON, because a page opened
 * from a folder may not fetch.
 */
export function createSearchIndex(pages: readonly Page[], documents: readonly ApiDocument[]): string {
  const index = new MiniSearch<SearchEntry>(searchOptions);
  const entries = [
    ...pages.filter(({ kind, section }) => kind !== "missing" && section !== "reference").flatMap(listSections),
    ...documents.flatMap(listOperations),
  ];
  index.addAll(entries.map((entry, id) => ({ id, ...entry })));
  return `self.gatewaySearchIndex=${JSON.stringify(JSON.stringify(index))};`;
}

type NewEntry = Omit<SearchEntry, "id">;

function listSections({ path, kind, title, markdown }: Page): NewEntry[] {
  // A day of the changelog is one entry, because its parts have the same headings every day.
  const [first = "", ...rest] = markdown.split(kind === "changelog" ? /^## /m : /^##+ /m);
  const page: NewEntry = {
    url: `${path}.html`,
    title,
    page: "",
    names: "",
    text: textOf(first.replace(/^# .*\n/, "")),
  };
  // Their parts have the same headings everywhere, which say nothing in a list of hits.
  if (kind === "error" || kind === "event" || kind === "states") {
    return [{ ...page, text: textOf(markdown.replace(/^# .*\n/, "")) }];
  }
  return [
    page,
    ...rest.map((section) => {
      const heading = plainText(section.split("\n", 1)[0] ?? "");
      return {
        url: `${path}.html#${slugOf(heading)}`,
        title: heading,
        page: title,
        names: "",
        text: textOf(section.slice(section.indexOf("\n"))),
      };
    }),
  ];
}

function listOperations({ name, openapi, operations }: ApiDocument): NewEntry[] {
  return operations.map((operation) => {
    const { operationId, summary = operationId, method, path, description = "", "x-client": client = "" } = operation;
    return {
      url: `${operationPath(name, operation)}.html${operationAnchor(operation)}`,
      title: summary,
      page: `${openapi.info.title} reference`,
      names: `${operationId} ${client}`,
      text: `${method} ${path} ${textOf(description)}`,
    };
  });
}

/** Words only: neither the marks of Markdown nor the lines of tables are looked for. */
function textOf(markdown: string): string {
  const words = markdown.replaceAll(/^```dot[\s\S]*?^```$/gm, " ");
  return plainText(words.replaceAll(/^```.*$/gm, " ").replaceAll(/\[!\w+\]|\|[-|]+\||[|>#]/g, " "));
}
