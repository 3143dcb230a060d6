import { Problem } from "@gateway/contract";
import type { RequestHandler } from "express";
import { isOfConsole } from "./call-source.ts";
import { principalOf } from "./call.ts";

/** x-person: decisions about money are for people in the console. A greater permission would not help. */
export const requirePerson: RequestHandler = (req, _res, next) => {
  const { credential } = principalOf(req);
  if (!isOfConsole(credential)) {
    throw new Problem(
      "PERSON_REQUIRED",
      "Only people who are signed in at the console may do this: API keys and other applications may not.",
    );
  }
  next();
};
