import type { RequestHandler } from "express";
import { refuseParameter } from "./answer-failure.ts";

const maxBytes = 1024;
/** Parameters of the application that are stored or returned unchanged. */
const names = ["state", "nonce"];

/** Responds with a page, because an application that gets a long value back by redirect would send it again. */
export const refuseLongParameters: RequestHandler = (req, res, next) => {
  const { searchParams } = new URL(req.originalUrl, "http://localhost");
  const long = names.find((name) => searchParams.getAll(name).some((value) => Buffer.byteLength(value) > maxBytes));
  if (long === undefined) {
    next();
    return;
  }
  refuseParameter(req, res, `${long} has more than ${maxBytes} bytes`);
};
