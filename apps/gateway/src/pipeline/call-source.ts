import { consoleApplication } from "@gateway/platform/accounts";
import type { Request } from "express";
import type { PrincipalCredential } from "./call.ts";

/** Where a call comes from: a screen of the console, or a program, which is what somebody tries out stands for. */
export type CallSource = "api" | "console";

/** What the console says of a call that somebody tries out. No other application is asked. */
const consoleHeader = "x-console";
const triedOut = "try";

/** Whether a person acts at our own page. */
export function isOfConsole(credential: PrincipalCredential): boolean {
  return credential.kind === "accessToken" && credential.applicationId === consoleApplication.id;
}

/** `credential`: whose call it is, also where a suspended account or a revoked grant refuses it. */
export function sourceOf(
  { call, headers }: Pick<Request, "call" | "headers">,
  credential: PrincipalCredential | null = call.principal?.credential ?? null,
): CallSource {
  const isScreen = credential !== null && isOfConsole(credential);
  return isScreen && headers[consoleHeader] !== triedOut ? "console" : "api";
}
