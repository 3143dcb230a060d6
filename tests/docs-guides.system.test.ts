import { findFreePort, startProcess, waitFor } from "@gateway/testkit";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createOauthReader, followSignIn, runSignIn, type OauthReader } from "./support/docs-oauth.ts";
import { readDocsSnippets, type DocsSnippet } from "./support/docs-snippets.ts";
import { startDocsWorld, type DocsWorld } from "./support/docs-world.ts";

/**
 * A reader pastes a guide block by block. Each block gets a shell of its own, in which nothing is set but what the
 * guide has its reader export first. Only the addresses and the key are put in; ids are what the blocks find by
 * themselves.
 */
const snippets = await readDocsSnippets();
const guides = [...new Set(snippets.map(({ place }) => place))].filter((place) => place.startsWith("guides/"));

/** Receivers and deliveries are run in `docs-snippets.system.test.ts`: they have no account. */
const pasted = ["run", "sign-in"];

let world: DocsWorld;
let callbackPort: number;

beforeAll(async () => {
  world = await startDocsWorld([]);
  callbackPort = await findFreePort();
  for (const { title, code } of snippets.filter((snippet) => snippet.title?.endsWith(".ts"))) {
    await writeFile(join(world.folder, title ?? ""), put(code));
  }
}, 120_000);
afterAll(() => world.stop());

const blocksOf = (guide: string, languages: readonly string[]): DocsSnippet[] =>
  snippets.filter(
    ({ place, language, kind }) => place === guide && languages.includes(language) && pasted.includes(kind),
  );

test("a guide with commands says what to set first, and is pasted", () => {
  const blocks = guides.flatMap((guide) => blocksOf(guide, ["sh", "ts"]));
  console.log(`${guides.length} guides, ${blocks.length} blocks`);
  expect(blocks.length).toBeGreaterThan(150);
  for (const guide of guides) {
    expect([guide, setupOf(guide)]).toEqual([guide, expect.stringContaining('export GATEWAY_API_KEY="gk_test_..."')]);
  }
});

describe.each([
  ["only its commands", ["sh"]],
  ["only its TypeScript", ["ts"]],
])("%s, in a new account", (_, languages) => {
  test.each(guides.filter((guide) => blocksOf(guide, languages).length > 0))("%s", async (guide) => {
    await pasteGuide(guide, languages, await createReader());
  });
});

describe("everything, in the account of somebody who reads one guide after the other", () => {
  let reader: Reader;
  beforeAll(async () => {
    reader = await createReader();
  });

  test.each(guides)("%s", async (guide) => {
    await pasteGuide(guide, ["sh", "ts"], reader);
  });
});

type Reader = { key: string; oauth: OauthReader };

async function createReader(): Promise<Reader> {
  const account = await world.gateway.createAccount();
  const { secret: key } = await world.gateway.createKey(account, "admin");
  return { key, oauth: await createOauthReader(world.auth, account) };
}

let runs = 0;

async function pasteGuide(guide: string, languages: readonly string[], reader: Reader): Promise<void> {
  const setup = put(setupOf(guide)).replace("gk_test_...", reader.key);
  const env = Object.fromEntries(
    Array.from(setup.matchAll(/^export (\w+)="(.*)"$/gm), ([, name = "", value = ""]) => [name, value]),
  );
  for (const block of blocksOf(guide, languages)) {
    const { name, language, kind } = block;
    const code = put(block.code);
    if (kind === "sign-in") {
      await (language === "ts" ? signIn(block, env, reader) : signInByHand(`${setup}\n${code}`, reader));
    } else if (language === "ts") {
      runs += 1;
      const file = `${block.id}-${runs}.ts`;
      await writeFile(join(world.folder, file), code);
      expect([name, await world.runner.run(file, { ...world.shell, ...env })]).toEqual([name, ""]);
    } else {
      await pasteCommands(block, `${setup}\n${code}`);
    }
  }
}

async function pasteCommands({ name, answers }: DocsSnippet, script: string): Promise<void> {
  const { stdout, stderr, statuses } = await world
    .paste(script)
    .catch((failed: { stdout: string; stderr: string }) => ({
      ...failed,
      statuses: [],
    }));
  expect(statuses.length, `${name}\n${stdout}${stderr}`).toBeGreaterThan(0);
  expect(
    statuses.filter((status) => (answers === null ? status >= 300 : status !== answers)),
    `${name}\n${stdout}${stderr}`,
  ).toEqual([]);
}

async function signIn({ title }: DocsSnippet, env: Record<string, string>, { oauth }: Reader): Promise<void> {
  const follow = (printed: string): Promise<URL> => followSignIn(printed, { auth: world.auth, reader: oauth });
  const answers = await runSignIn(title ?? "", { cwd: world.folder, env: { ...world.shell, ...env }, follow });
  expect(answers).toEqual({ stranger: 400, status: 200, text: expect.stringMatching(/^Connected to \S+@/) });
}

async function signInByHand(script: string, { oauth }: Reader): Promise<void> {
  const program = startProcess("bash", ["-euo", "pipefail", "-c", script], {
    cwd: world.folder,
    env: { ...world.shell },
  });
  try {
    const [printed] = await program.printed(/http\S+\/api\/v1\/authorize\?\S+/);
    const redirect = await followSignIn(printed, { auth: world.auth, reader: oauth });
    await fetchWhenItListens(redirect);
    expect(await program.exited, program.stderr()).toBe(0);
    expect(program.stderr()).toBe("");
  } finally {
    await program.destroy();
  }
}

async function fetchWhenItListens(url: URL): Promise<void> {
  const answer = await waitFor(() => fetch(url));
  await answer.text();
}

function setupOf(guide: string): string {
  return snippets.find(({ place, kind }) => place === guide && kind === "setup")?.code ?? "";
}

/** The addresses of the sandbox become those of this one, and the port that the browser comes back to a free one. */
function put(code: string): string {
  return code
    .replaceAll("https://sandbox.api.gateway.example", `http://127.0.0.1:${world.gateway.port}`)
    .replaceAll("https://sandbox.auth.gateway.example", world.auth.origin)
    .replaceAll("https://sandbox.custody.gateway.example", `http://127.0.0.1:${world.gateway.directPorts.custody}`)
    .replaceAll(/\b4180\b/g, String(callbackPort));
}
