import { Problem } from "@gateway/contract";
import type { RequestHandler } from "express";
import { isOfConsole } from "./call-source.ts";
import { principalOf } from "./call.ts";

/**
 * Guards operations with x-person. A key may be stolen, and whoever wrote an application decides what it does: who
 * decides over money is a person at our own page. Before the permission is looked at, for no greater one would help.
 */
export const requirePerson: RequestHandler = (req, _res, next) => {
  const { credential } = principalOf(req);
  if (!isOfConsole(credential)) {
    throw new Problem(
      "PERSON_REQUIRED",
      "This is for people who are signed in at the console: no API key and no other application may do it.",
    );
  }
  next();
};
