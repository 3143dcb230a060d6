import { describe, expect, test } from "vitest";
import { readSourceFiles, type SourceFile } from "./support/source-files.ts";

/** Functions and names of the present time in SQL, except `gateway_now()`. */
const otherClocks =
  /\b(?:now|clock_timestamp|statement_timestamp|transaction_timestamp|timeofday|age)\s*\(|\b(?:current_timestamp|current_date|current_time|localtimestamp|localtime)\b|'(?:now|today|tomorrow|yesterday)'|^now$/gi;

/** Files that may contain SQL: those of the platform, and those that import Kysely or the driver. */
const files = readSourceFiles().filter(
  ({ path, text }) =>
    /^packages\/(?:engine|platform)\/src\//.test(path) ||
    (/^(?:packages|apps)\/[\w-]+\/src\//.test(path) && /from "(?:kysely|pg)"/.test(text)),
);

/** The migration that creates `gateway_now()`, and the test code that moves it. */
const makers = /migrations\/0001-database\.ts$|^packages\/testkit\//;

function findOtherClocks({ path, text }: SourceFile): string[] {
  const found = readTexts(text).flatMap((literal) => literal.match(otherClocks) ?? []);
  return makers.test(path) ? [] : found;
}

/** Reads all strings and templates. An interpolation in a template is a gap in its text, and is read as code. */
function readTexts(code: string): string[] {
  const texts: string[] = [];
  /** The open parts: code in braces, or the template around an interpolation. */
  const open: ({ kind: "brace" } | { kind: "template"; text: string })[] = [];
  const token = /\/\*[\s\S]*?\*\/|\/\/.*|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|[`{}]/y;
  const templatePart = /(?:\\[\s\S]|\$(?!\{)|[^\\`$])*(?<end>`|\$\{)/y;
  const readTemplate = (from: number, start: string): number => {
    templatePart.lastIndex = from;
    const part = templatePart.exec(code);
    if (!part) {
      throw new Error("A template does not end.");
    }
    const text = start + part[0].slice(0, -(part.groups?.["end"]?.length ?? 0));
    if (part.groups?.["end"] === "`") {
      texts.push(text);
    } else {
      open.push({ kind: "template", text: `${text}?` });
    }
    return templatePart.lastIndex;
  };
  for (let at = 0; at < code.length;) {
    token.lastIndex = at;
    const found = token.exec(code)?.[0];
    at += found?.length ?? 1;
    if (found === "`") {
      at = readTemplate(at, "");
    } else if (found === "{") {
      open.push({ kind: "brace" });
    } else if (found === "}") {
      const closed = open.pop();
      at = closed?.kind === "template" ? readTemplate(at, closed.text) : at;
    } else if (found && /^["']/.test(found)) {
      texts.push(found.slice(1, -1));
    }
  }
  if (open.length > 0) {
    throw new Error(`The text ends inside of ${open.length} braces: it was not understood.`);
  }
  return texts;
}

test("the SQL of all programs is found and understood", () => {
  const sql = files.flatMap(({ text }) => readTexts(text));
  expect(files.length).toBeGreaterThan(40);
  expect(
    sql.filter((text) => /\b(?:select|insert into|update|delete from|create table)\s/.test(text)).length,
  ).toBeGreaterThan(50);
  expect(sql).toContainEqual(expect.stringContaining("gateway_now()"));
});

test("SQL reads the time by gateway_now() alone", () => {
  const other = files.map((file) => [file.path, findOtherClocks(file)]).filter(([, found]) => found?.length);
  expect(other).toEqual([]);
});

describe("another clock is found in", () => {
  test.each([
    "sql`select from deliveries where due_at <= now()`",
    "sql`select from deliveries where due_at <= ${early ? sql`now ()` : at}`",
    "sql`update a set b = ${value}, c = CURRENT_TIMESTAMP where id = ${id}`",
    "const text = `select clock_timestamp()`;",
    'const text = "select statement_timestamp()";',
    "sql.raw('select transaction_timestamp()')",
    "sql`create table a (at timestamptz default localtimestamp)`",
    "sql`select 'now'::timestamptz`",
    "sql`select age(created_at) from events`",
    'db.selectNoFrom(({ fn }) => fn("now", []))',
  ])("%s", (text) => {
    expect(findOtherClocks({ path: "packages/platform/src/events/a.ts", text })).toHaveLength(1);
  });
});

test("what is no SQL, or reads no time, is left alone", () => {
  const text = `
    // sql\`select now()\` in a comment
    const now = (): Date => new Date(clock.now());
    db.where("expires_at", "<=", now()).where("retires_at", ">", new Date(clock.now()));
    sql\`select from a where at <= \${now()} and known_now(1) and gateway_now() > at\`;
  `;
  expect(findOtherClocks({ path: "packages/platform/src/events/a.ts", text })).toEqual([]);
});

test("the clock of an account is locked in one place, and read there: services are handed what holds it", () => {
  const naming = (pattern: RegExp): string[] =>
    readSourceFiles()
      .filter(({ path, text }) => /^(?:packages|apps)\/[\w-]+\/src\//.test(path) && pattern.test(text))
      .map(({ path }) => path.replace("packages/platform/src/", ""))
      .filter((path) => !path.startsWith("packages/schema/"))
      .toSorted();
  expect(naming(/\bhold_sandbox_clock\b/)).toEqual(["gateway/account-clock.ts"]);
  expect(naming(/\bcreateAccountClock\b/)).toEqual([
    "compose/platform.ts",
    "compose/services.ts",
    "gateway/account-clock.ts",
    "gateway/index.ts",
  ]);
  expect(naming(/\bsandbox_clocks\b/)).toEqual([
    "gateway/account-clock.ts",
    "gateway/sandbox-clock.ts",
    "gateway/tables.ts",
  ]);
});

/** The expressions that read the machine's clock. `performance.now()` measures durations. */
const machineClock = /\bDate\.now\b|\bnew Date\(\)|\bsystemClock\b/;

const programs = /^(?:packages\/(?:engine|platform)|apps\/(?:admin|auth|dispatcher|gateway|local|worker))\/src\//;

test("what programs do with the database goes by its clock: they ask their machine's only to compare the two", () => {
  const asking = readSourceFiles().filter(({ path, text }) => programs.test(path) && machineClock.test(text));
  expect(asking.map(({ path }) => path)).toEqual(["packages/engine/src/database-clock.ts"]);
});
