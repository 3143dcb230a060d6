import { permissions, tierLimits, tiers, type Permission, type Tier } from "@gateway/platform/accounts";
import { isEmailAddress } from "@gateway/platform/auth";
import { parseArgs } from "node:util";

/** A request of the operator that cannot be carried out. The message says why and what to write instead. */
export class UsageError extends Error {}

const options = {
  account: { type: "string" },
  amount: { type: "string" },
  direction: { type: "string" },
  email: { type: "string" },
  "expires-in-days": { type: "string" },
  fact: { type: "string" },
  head: { type: "string" },
  help: { type: "boolean", short: "h" },
  immediately: { type: "boolean" },
  json: { type: "boolean" },
  key: { type: "string" },
  limit: { type: "string" },
  name: { type: "string" },
  permission: { type: "string" },
  person: { type: "string" },
  reason: { type: "string" },
  tier: { type: "string" },
  wallet: { type: "string" },
} as const;

export type Arguments = {
  command: string;
  isHelp: boolean;
  isJson: boolean;
  values: Partial<Record<keyof typeof options, string | boolean>>;
};

export function parseArguments(args: readonly string[]): Arguments {
  try {
    const { positionals, values } = parseArgs({ args: [...args], options, allowPositionals: true, strict: true });
    return {
      command: positionals.join(" "),
      isHelp: values.help === true || positionals.length === 0,
      isJson: values.json === true,
      values,
    };
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

export function requireText({ values }: Arguments, name: keyof typeof options): string {
  const value = values[name];
  if (typeof value !== "string" || value.trim() === "") {
    throw new UsageError(`--${name} is needed.`);
  }
  return value;
}

export function requireEmail(args: Arguments): string {
  const email = requireText(args, "email");
  if (!isEmailAddress(email)) {
    throw new UsageError(`--email must be an e-mail address, not ${JSON.stringify(email)}.`);
  }
  return email;
}

export function requirePermission(args: Arguments): Permission {
  return choose("permission", permissions, requireText(args, "permission"));
}

/** Tier and, for Enterprise, a limit of its own: 300 requests per minute or more. */
export function requireTier(args: Arguments): { tier: Tier; requestsPerMinute: number | null } {
  const tier = choose("tier", tiers, requireText(args, "tier"));
  if (args.values.limit === undefined) {
    return { tier, requestsPerMinute: null };
  }
  if (tier !== "enterprise") {
    throw new UsageError(
      `--limit goes with --tier enterprise only; ${tier} has ${tierLimits[tier]} requests per minute.`,
    );
  }
  return { tier, requestsPerMinute: parseWhole(args, "limit", tierLimits.enterprise, 10_000_000) };
}

/** Days until a new key expires, or null for a key that does not. */
export function parseExpiry(args: Arguments): number | null {
  return args.values["expires-in-days"] === undefined ? null : parseWhole(args, "expires-in-days", 1, 3650);
}

/** `17:9f86d0…`, as the gateways log it; null when it is absent. */
export function parseHead(args: Arguments): { sequence: number; hash: Buffer } | null {
  if (args.values.head === undefined) {
    return null;
  }
  const [, sequence = "", hash = ""] = /^(\d{1,15}):([0-9a-f]{64})$/.exec(requireText(args, "head")) ?? [];
  if (hash === "") {
    throw new UsageError("--head must be the place and the hash of a head, such as 17: and 64 hexadecimal digits.");
  }
  return { sequence: Number(sequence), hash: Buffer.from(hash, "hex") };
}

export function requireDirection(args: Arguments): "credit" | "debit" {
  return choose("direction", ["credit", "debit"], requireText(args, "direction"));
}

/** An amount in minor units, which every JSON parser reads exactly. */
export function requireAmount(args: Arguments): number {
  return parseWhole(args, "amount", 1, Number.MAX_SAFE_INTEGER);
}

/** Applies the document's rule for the description of a ledger transaction. */
export function requireDescription(args: Arguments, name: keyof typeof options): string {
  const text = requireText(args, name);
  if (!/^\P{Cc}{1,500}$/u.test(text)) {
    throw new UsageError(`--${name} must have at most 500 characters, and no control characters.`);
  }
  return text;
}

function parseWhole(args: Arguments, name: keyof typeof options, min: number, max: number): number {
  const text = requireText(args, name);
  const value = Number(text);
  if (!/^\d{1,16}$/.test(text) || value < min || value > max) {
    throw new UsageError(`--${name} must be a whole number from ${min} to ${max}, not ${JSON.stringify(text)}.`);
  }
  return value;
}

function choose<T extends string>(name: string, choices: readonly T[], text: string): T {
  const choice = choices.find((candidate) => candidate === text);
  if (choice === undefined) {
    throw new UsageError(`--${name} must be one of ${choices.join(", ")}, not ${JSON.stringify(text)}.`);
  }
  return choice;
}
