/** Environment variables that commands and programs of guides use, with an example for the reader to replace. */
const settings: readonly (readonly [name: string, example: string])[] = [
  ["GATEWAY_URL", "https://sandbox.api.gateway.example"],
  ["GATEWAY_AUTH_URL", "https://sandbox.auth.gateway.example"],
  ["GATEWAY_CUSTODY_URL", "https://sandbox.custody.gateway.example"],
  ["GATEWAY_API_KEY", "gk_test_..."],
  ["WEBHOOK_SECRET", "whsec_..."],
];

/**
 * Adds the commands that set the variables of the guide, after its first paragraph. A guide that sets the key itself,
 * or has no commands, stays as it is.
 */
export function setUpGuide(path: string, markdown: string): string {
  const { used, usesClient } = readUses(markdown);
  if (used.length === 0 || markdown.includes("export GATEWAY_API_KEY=")) {
    return markdown;
  }
  const [title = "", first = "", ...rest] = markdown.split("\n\n");
  if (/:$|```/.test(first)) {
    throw new Error(`${path}.md: its first paragraph must stand alone, because the setup comes behind it.`);
  }
  const lead = `Set these in your shell first, with [a key of your own](first-call.md#1-get-a-key)${
    usesClient ? "; the TypeScript imports [`client.ts`](first-call.md#3-list-your-wallets)" : ""
  }. Each block sets the rest itself:`;
  const block = ["```sh setup", ...used.map(([name, example]) => `export ${name}="${example}"`), "```"].join("\n");
  return [title, first, lead, block, ...rest].join("\n\n");
}

function readUses(markdown: string): { used: typeof settings; usesClient: boolean } {
  const code = markdown.match(/^```(?:sh|ts)\b[\s\S]*?^```$/gm)?.join("\n") ?? "";
  const usesClient = code.includes('from "./client.ts"');
  const isUsed = (name: string): boolean => new RegExp(`(?:\\$|process\\.env\\.)${name}\\b`).test(code);
  const used = settings.filter(
    ([name]) => isUsed(name) || (usesClient && (name === "GATEWAY_URL" || name === "GATEWAY_API_KEY")),
  );
  return { used, usesClient };
}
