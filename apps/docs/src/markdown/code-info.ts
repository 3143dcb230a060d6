/** The words after the fence of a code block: ```` ```ts receiver title="Express" ````. The tests read them too. */
export type CodeInfo = {
  language: string;
  title: string | null;
  /**
   * How the tests run a snippet. `run`: unchanged. `receiver`: as a server that gets deliveries. `delivery`: with a
   * saved delivery. `sign-in`: with a person who opens the printed address, signs in and consents. `setup`: before each
   * block of its page. `generator`: at night, with the installations of the other blocks in its section. A `shape`
   * shows the form of a value and is not run.
   */
  kind: "run" | "receiver" | "delivery" | "sign-in" | "setup" | "generator" | "shape";
  /** The status that the call demonstrates, when it is not a success. */
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
