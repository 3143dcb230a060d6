import { listSnippets, type Snippet } from "@gateway/docs/snippets";
import { readRepositoryFile } from "./source-files.ts";

/** A section of the guide: one generator, its files by name, and its commands in their order. */
export type GeneratorSection = {
  /** `oapi-codegen (Go)` */
  title: string;
  text: string;
  files: ReadonlyMap<string, string>;
  /** Commands that create the client. */
  make: string;
  /** Commands that run the program with the client. */
  run: string;
};

export type GeneratorGuide = {
  /** The name under which the guide saves the document. */
  document: string;
  /** Commands that make the prepared document from it. */
  prepare: string;
  sections: readonly GeneratorSection[];
};

/** Reads the guide "Use another client generator" in its parts. */
export function readGeneratorGuide(): GeneratorGuide {
  const text = readRepositoryFile("apps/docs/guides/generators.md");
  const parts = text.split(/^## /m).map((part) => ({ text: part, blocks: blocksOf(part) }));
  const [prepared, ...generators] = parts.filter(({ blocks }) => blocks.length > 0);
  const prepare = commandsOf(prepared?.blocks ?? []).join("\n");
  return {
    document: /(\S+\.json) > /.exec(prepare)?.[1] ?? "",
    prepare,
    sections: generators.map((part) => {
      const commands = commandsOf(part.blocks);
      return {
        title: part.text.split("\n", 1)[0] ?? "",
        text: part.text,
        files: new Map(part.blocks.flatMap(({ title, code }) => (title === null ? [] : [[title, code] as const]))),
        make: commands.slice(0, -1).join("\n"),
        run: commands.at(-1) ?? "",
      };
    }),
  };
}

function blocksOf(markdown: string): Snippet[] {
  return listSnippets(markdown).filter(({ kind }) => kind === "generator");
}

function commandsOf(blocks: readonly Snippet[]): string[] {
  return blocks.filter(({ language }) => language === "sh").map(({ code }) => code);
}
