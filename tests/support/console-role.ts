import { runStatement } from "@gateway/testkit";
import { randomBytes } from "node:crypto";
import { readRepositoryFile } from "./source-files.ts";

/**
 * Creates a login role with the rights of the deployed console role. Roles belong to the whole server, which other
 * tests share, so its name is unique.
 */
export async function createConsoleRole(databaseUrl: string): Promise<string> {
  const name = `console_${randomBytes(6).toString("hex")}`;
  await runStatement(databaseUrl, readRepositoryFile("deploy/postgres/console-role.sql"));
  await runStatement(databaseUrl, `create role ${name} login password '${name}' in role gateway_console`);
  const url = new URL(databaseUrl);
  url.username = name;
  url.password = name;
  return url.href;
}
