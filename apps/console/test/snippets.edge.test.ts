import fc from "fast-check";
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { runInNewContext } from "node:vm";
import { describe, expect, test } from "vitest";
import { curlOf, shellQuote, typescriptOf, visibleJson } from "../browser/data/snippets.ts";

/** Fixed, so that a gate never fails by chance. */
const seed = 20_260_309;

const hostile = [
  "it's",
  '"double"',
  "$(id)",
  "`id`",
  "a\nb",
  "a\r\nb",
  "\\",
  "!!",
  "hi! !$ !-1 !curl",
  "--output owned",
  "\u2028\u2029touch owned",
  "-n",
  "@/etc/passwd",
  "$HOME ${HOME}",
  "'; touch owned; '",
  "\u202egnp.exe",
  "a&b=c#d%20 [1] {a,b}",
  "",
];

const createWallet = { method: "post", path: "/api/v1/wallets", idempotencyKey: true, personRequired: false } as const;
const getWallet = {
  method: "get",
  path: "/api/v1/wallets/{walletId}",
  idempotencyKey: false,
  personRequired: false,
} as const;
const listWallets = { method: "get", path: "/api/v1/wallets", idempotencyKey: false, personRequired: false } as const;

/** Every text that a shell and JSON can hold. */
const texts = fc
  .string({ unit: "binary", maxLength: 40 })
  .filter((text) => text.isWellFormed() && !text.includes("\0"));

/** The arguments of `curl` when the snippet is pasted into bash. A program of that name records its words. */
function wordsOf(snippets: readonly string[], options: readonly string[] = []): string[][] {
  const folder = mkdtempSync(join(tmpdir(), "snippets-"));
  writeFileSync(
    join(folder, "curl"),
    `#!/bin/sh\nprintf '%s\\0' "$@" >> "${folder}/words"\nprintf 'end\\0\\0' >> "${folder}/words"\n`,
    {
      mode: 0o755,
    },
  );
  writeFileSync(join(folder, "uuidgen"), "#!/bin/sh\necho a-key\n", { mode: 0o755 });
  const script = `${snippets.join("\n")}\ncat "${folder}/words"\n`;
  const env = {
    PATH: `${folder}${delimiter}${process.env["PATH"]}`,
    GATEWAY_API_KEY: "the key",
    ACCESS_TOKEN: "token",
  };
  const output = execFileSync("bash", ["--noprofile", "--norc", ...options], {
    ...{ input: script, env, cwd: folder, maxBuffer: 1e8 },
    // An interactive shell writes there what it reads.
    stdio: ["pipe", "pipe", "ignore"],
  });
  expect(existsSync(join(folder, "owned"))).toBe(false);
  return output
    .toString("utf8")
    .split("end\0\0")
    .slice(0, -1)
    .map((call) => call.split("\0").slice(0, -1));
}

describe("curl, pasted into bash", () => {
  test("sends what names hold, as it is, and runs none of it", () => {
    const names = [...hostile, ...fc.sample(texts, { numRuns: 60, seed: 7 })];
    const calls = wordsOf(
      names.map((name) => curlOf({ operation: createWallet, body: { name } }, "https://api.example.com")),
    );
    expect(calls).toHaveLength(names.length);
    for (const [index, words] of calls.entries()) {
      expect(words.slice(0, -1)).toEqual([
        "https://api.example.com/api/v1/wallets",
        ...[
          "-H",
          "X-API-Key: the key",
          "-H",
          "Idempotency-Key: a-key",
          "-H",
          "Content-Type: application/json",
          "--data-raw",
        ],
      ]);
      expect(JSON.parse(words.at(-1) ?? "")).toEqual({ name: names[index] });
    }
  });

  test("asks for the address that was meant, whatever stands in its path and query", () => {
    const values = [...hostile, ...fc.sample(texts, { numRuns: 30, seed: 8 })].filter(
      (value) => value !== "" && !/^\.{1,2}$/.test(value),
    );
    const paths = wordsOf(
      values.map((walletId) => curlOf({ operation: getWallet, path: { walletId } }, "https://api.example.com")),
    );
    const queries = wordsOf(
      values.map((externalId) => curlOf({ operation: listWallets, query: { externalId } }, "https://api.example.com")),
    );
    for (const [index, value] of values.entries()) {
      const path = new URL(paths[index]?.[0] ?? "").pathname;
      expect(decodeURIComponent(path.replace("/api/v1/wallets/", ""))).toBe(value);
      expect(new URL(queries[index]?.[0] ?? "").searchParams.get("externalId")).toBe(value);
      // curl itself would read these characters as a pattern.
      expect(queries[index]?.[0]).not.toMatch(/[[\]{}]/);
    }
  });

  test("a shell at which somebody types takes nothing from its history, and has the key that was typed", () => {
    const names = [...hostile, ...fc.sample(texts, { numRuns: 20, seed: 9 })].filter((name) => !/\p{Cc}/u.test(name));
    const calls = wordsOf(
      names.map((name) =>
        curlOf({ operation: createWallet, body: { name }, idempotencyKey: name }, "https://a.example.com"),
      ),
      ["-i"],
    );
    expect(calls).toHaveLength(names.length);
    for (const [index, words] of calls.entries()) {
      expect(words[4]).toBe(`Idempotency-Key: ${names[index]}`);
      expect(JSON.parse(words.at(-1) ?? "")).toEqual({ name: names[index] });
      // An old shell takes `!` for its history in all lines except the first, whatever is around it.
      expect(words.at(-1)).not.toContain("!");
    }
  });

  test("a word stays one word", () => {
    fc.assert(
      fc.property(texts, (text) => {
        expect(shellQuote(text)).toMatch(/^(?:[\w@%+=:,./-]+|'(?:[^']|'\\'')*')$/);
      }),
      { seed },
    );
  });
});

describe("TypeScript", () => {
  test("is the call, whatever stands in names", () => {
    fc.assert(
      fc.property(fc.oneof(texts, fc.constantFrom(...hostile)), (name) => {
        const source = typescriptOf({ operation: createWallet, body: { name } });
        const [, call = ""] = /await (client[\s\S]*);\nconsole\.log\(data\);$/.exec(source) ?? [];
        const seen: unknown[] = [];
        runInNewContext(call, { client: { POST: (...args: unknown[]) => seen.push(...args) } });
        expect(seen).toEqual(["/api/v1/wallets", { body: { name } }]);
        const keyed = typescriptOf({ operation: createWallet, body: { name }, idempotencyKey: name });
        expect(keyed).toContain(`idempotencyKey: ${visibleJson(name)}`);
      }),
      { seed },
    );
  });

  test("shows what nobody would see", () => {
    expect(visibleJson({ name: "a\u202eb\u200bc" })).toBe('{"name":"a\\u202eb\\u200bc"}');
  });
});
