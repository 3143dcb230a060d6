import { readApiDocuments } from "@gateway/docs/documents";
import { createCodeSamples } from "@gateway/docs/samples";
import { collectPages } from "@gateway/docs/site";
import { listSnippets, type Snippet } from "@gateway/docs/snippets";

export type DocsSnippet = Omit<Snippet, "kind"> & {
  /** `person`: a sample of an operation for people at the console, which no other credential can run. */
  kind: Snippet["kind"] | "person";
  /** `guides/webhooks 3, TypeScript`: part of the test's title. */
  name: string;
  /** Name for a file: letters, digits and dashes. */
  id: string;
  /** The page, or the operation: `guides/webhooks`, `reference/listWallets`. */
  place: string;
};

/**
 * Every TypeScript snippet and every command of the documentation: those of the pages, and those of each operation in
 * the references. Snippets that need an external generator run in `generators.nightly.test.ts`.
 */
export async function readDocsSnippets(): Promise<DocsSnippet[]> {
  const documents = readApiDocuments();
  const pages = await collectPages(documents);
  const written = pages
    // Samples of operations are added below, where the operation of each is known.
    .filter(({ kind }) => kind !== "reference" && kind !== "tag")
    .flatMap(({ path, markdown }) =>
      listSnippets(markdown).map((snippet, index) => ({ ...snippet, place: path, number: index + 1 })),
    );
  const made = documents.flatMap((document) =>
    document.operations.flatMap((operation) =>
      createCodeSamples(document, operation).map(({ lang, source }, index) => ({
        ...plain,
        kind: operation["x-person"] ? ("person" as const) : ("run" as const),
        language: lang,
        code: `${source}\n`,
        place: `reference/${operation.operationId}`,
        number: index + 1,
      })),
    ),
  );
  return [...written, ...made]
    .filter(({ language, kind }) => (language === "ts" || language === "sh") && kind !== "generator")
    .map(({ place, number, ...snippet }) => ({
      ...snippet,
      place,
      name: `${place} ${number}, ${snippet.title ?? snippet.language}`,
      id: `${place.replaceAll(/\W/g, "-")}-${number}`,
    }));
}

const plain = { title: null, answers: null, example: null } as const;
