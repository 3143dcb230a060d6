/** What stands behind the fence of a block of code: ```` ```ts receiver title="Express" ````. The tests read it too. */
export type CodeInfo = {
  language: string;
  title: string | null;
  /**
   * How the tests run a snippet: as it stands (`run`); as a server that gets deliveries (`receiver`); beside a saved
   * delivery (`delivery`); with a person who goes to the address that it prints, signs in and consents (`sign-in`);
   * before each block of its page (`setup`); with what the others of its section install, at night (`generator`). A
   * `shape` shows the form of something and is not run.
   */
  kind: "run" | "receiver" | "delivery" | "sign-in" | "setup" | "generator" | "shape";
  /** The status that the call is there to show, when it is not a success. */
  answers: number | null;
  /** The example of the document that a block of JSON repeats. */
  example: string | null;
};

export type Snippet = CodeInfo & { code: string };

const kinds = ["receiver", "delivery", "sign-in", "setup", "generator", "shape"] as const;

export function parseCodeInfo(info: string): CodeInfo {
  const [language = "", ...words] = info
    .replace(/\stitle="[^"]*"/, "")
    .trim()
    .split(/\s+/);
  const valueOf = (name: string): string | null =>
    words.find((word) => word.startsWith(`${name}=`))?.slice(name.length + 1) ?? null;
  const answers = valueOf("answers");
  return {
    language,
    title: /\stitle="([^"]*)"/.exec(info)?.[1] ?? null,
    kind: kinds.find((kind) => words.includes(kind)) ?? "run",
    answers: answers === null ? null : Number(answers),
    example: valueOf("example"),
  };
}

export function listSnippets(markdown: string): Snippet[] {
  return Array.from(markdown.matchAll(/^```(?<info>\w.*)\n(?<code>[\s\S]*?)^```$/gm), ({ groups }) => ({
    ...parseCodeInfo(groups?.["info"] ?? ""),
    code: groups?.["code"] ?? "",
  }));
}
