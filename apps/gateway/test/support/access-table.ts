import { permissions, type Permission } from "@gateway/platform/accounts";
import { readFileSync } from "node:fs";

/** Credentials that a caller may send, and the status of each unless the operation's line gives another. */
const usual = {
  none: 401,
  malformed: 401,
  unknown: 401,
  read: 403,
  write: 403,
  admin: 403,
  revoked: 401,
  expired: 401,
  otherEnvironment: 401,
  twoCredentials: 400,
  bearer: 401,
};

export type CredentialKind = keyof typeof usual;

export const credentialKinds = Object.keys(usual) as CredentialKind[];

type AccessTable = Map<string, Record<CredentialKind, number>>;

/**
 * access-table.txt: the permission and the success of each operation, and each status that differs from those below,
 * such as `none=200`. Written by hand, so that the code cannot agree with itself.
 */
export function readAccessTable(): AccessTable {
  return parseAccessTable(readFileSync(new URL("../access-table.txt", import.meta.url), "utf8"));
}

export function parseAccessTable(text: string): AccessTable {
  const table: AccessTable = new Map();
  for (const line of text.trimEnd().split("\n")) {
    const [, operationId = "", permission, success, exceptions = ""] = linePattern.exec(line) ?? [];
    if (!operationId || table.has(operationId)) {
      throw new Error(`access-table.txt: ${line}: one line for each operation, "createWallet write 201".`);
    }
    const allowed = permissions.slice(permissions.indexOf(permission as Permission));
    const granted = allowed.map((kind) => [kind, Number(success)]);
    const others = exceptions
      .split(" ")
      .slice(1)
      .map((exception) => exception.split("="));
    table.set(operationId, {
      ...usual,
      ...Object.fromEntries(granted),
      ...Object.fromEntries(others.map(([kind, status]) => [kind, Number(status)])),
    });
  }
  return table;
}

const linePattern = new RegExp(
  `^(\\w+) (${permissions.join("|")}) (\\d{3})((?: (?:${credentialKinds.join("|")})=\\d{3})*)$`,
);
