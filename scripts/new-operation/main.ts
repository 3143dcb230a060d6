import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline/promises";
import { parseArgs } from "node:util";
import { services } from "../../openapi/rules/service-named.ts";
import { operations } from "../../packages/contract/src/index.ts";
import { writeAudit } from "./audit.ts";
import { writeCode } from "./code.ts";
import { writeDocument } from "./document.ts";
import { hasIds, readPlan, type Answers } from "./plan.ts";
import { openTree, Refusal, type Tree } from "./tree.ts";

const usage = `npm run new:operation -- --service ledger --noun wallet --verb archive --permission write

Writes the files of a new operation and lists them. Asks at a terminal for missing options.

  --service      ${services.join(", ")}
  --noun         in kebab-case: wallet
  --verb         list, get, create, update, delete, or another action: freeze
  --permission   read, write, admin

  --prefix       the three letters that begin the ids of a new noun
  --plural       the plural, unless it ends in s or ies

  --under        the noun that contains a list or a creation: payment
  --emits        events that the operation records, the first even new: wallet.archived

  --takes        fields that callers send: amount:PaymentAmount,externalId:ExternalId
  --shows        further fields of a new noun: currency:Currency

  --refuses      its own codes, separated by commas: LAST_OWNER
  --help         this text
`;

const root = join(import.meta.dirname, "../..");

const text = { type: "string" } as const;
const options = {
  service: text,
  noun: text,
  plural: text,
  under: text,
  verb: text,
  permission: text,
  prefix: text,
  emits: text,
  refuses: text,
  takes: text,
  shows: text,
  help: { type: "boolean", short: "h" },
} as const;

const questions = {
  service: `Service (${services.join(", ")})`,
  noun: "Noun, in kebab-case (wallet)",
  verb: "Verb (list, get, create, update, delete, or another action: freeze)",
  permission: "Permission (read, write, admin)",
  prefix: "Three letters that its ids begin with (wal)",
};

try {
  if (parseArgs({ options }).values.help) {
    console.log(usage);
    process.exit();
  }
  const tree = openTree(root);
  const plan = readPlan(await readAnswers(tree), { tree, services, taken: Object.keys(operations) });
  writeDocument(tree, plan);
  writeAudit(tree, plan);
  writeCode(tree, plan);
  const written = tree.commit();
  execFileSync("oxfmt", written, { cwd: root, stdio: "inherit" });
  console.log(`${written.map((path) => `  ${path}`).join("\n")}\n\nNext, until nothing is red:
  1. npm run lint -w openapi    replace each text that begins with "Decide"
  2. npm run generate           the types follow
  3. npm run typecheck          add the fields and rules that only you know
  4. npm run vitest -- run packages/contract/test/policy.test.ts apps/gateway/test/pipeline.test.ts --update`);
} catch (error) {
  if (!(error instanceof Refusal) && !(error instanceof TypeError && "code" in error)) {
    throw error;
  }
  console.error(error.message);
  process.exitCode = 1;
}

/** Reads the command line, and asks at a terminal for missing options. */
async function readAnswers(tree: Tree): Promise<Answers> {
  const { values } = parseArgs({ options });
  const ask = async (name: keyof typeof questions): Promise<string> => values[name] ?? (await askFor(name));
  const [service, noun] = [await ask("service"), await ask("noun")];
  const [verb, permission] = [await ask("verb"), await ask("permission")];
  const prefix = hasIds(tree, { service, noun }) ? undefined : await ask("prefix");
  return { ...values, service, noun, verb, permission, prefix };
}

async function askFor(name: keyof typeof questions): Promise<string> {
  if (!process.stdin.isTTY) {
    throw new Refusal(`--${name} is missing. ${questions[name]}.`);
  }
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return (await terminal.question(`${questions[name]}: `)).trim();
  } finally {
    terminal.close();
  }
}
