import type { RequestHandler } from "express";
import { refuseParameter } from "./answer-failure.ts";

const maxBytes = 1024;
/** What comes from the application and is kept or given back as it is. */
const names = ["state", "nonce"];

/** A page, for who is sent back with what is too long sends it again. */
export const refuseLongParameters: RequestHandler = (req, res, next) => {
  const { searchParams } = new URL(req.originalUrl, "http://localhost");
  const long = names.find((name) => searchParams.getAll(name).some((value) => Buffer.byteLength(value) > maxBytes));
  if (long === undefined) {
    next();
    return;
  }
  refuseParameter(req, res, `${long} has more than ${maxBytes} bytes`);
};
