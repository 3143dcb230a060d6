import { createHmac } from "node:crypto";
import type { Hmac } from "../src/index.ts";

export const secret = "a secret of a test";
export const nowSeconds = 1_768_469_400;

/** The other implementation, and the one that a busy sender plugs in. */
export const nodeHmac: Hmac = (key, message) => createHmac("sha256", key).update(message).digest("hex");
