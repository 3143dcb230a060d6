import { consoleApplication } from "@gateway/platform/accounts";
import type { Request } from "express";
import type { PrincipalCredential } from "./call.ts";

/** Source of a call: a screen of the console, or a program. A call that a person tries out counts as a program's. */
export type CallSource = "api" | "console";

/** The header with which the console marks a tried-out call. It is ignored from other applications. */
const consoleHeader = "x-console";
const triedOut = "try";

/** Whether a person acts in the console. */
export function isOfConsole(credential: PrincipalCredential): boolean {
  return credential.kind === "accessToken" && credential.applicationId === consoleApplication.id;
}

/** `credential`: the caller's, even when it is refused because of a suspended account or a revoked grant. */
export function sourceOf(
  { call, headers }: Pick<Request, "call" | "headers">,
  credential: PrincipalCredential | null = call.principal?.credential ?? null,
): CallSource {
  const isScreen = credential !== null && isOfConsole(credential);
  return isScreen && headers[consoleHeader] !== triedOut ? "console" : "api";
}
