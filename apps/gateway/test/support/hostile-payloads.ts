import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import type { Ask } from "./http-client.ts";

const wallet = { name: "W", currency: "EUR" };
const json = { "Content-Type": "application/json" };

const post = (body: unknown, headers: Record<string, string> = json): Ask => ({
  method: "POST",
  target: "/api/v1/wallets",
  headers,
  body,
});
const manyKeys = (count: number): object =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, "v"]));
const nested = (levels: number, open: string, close: string): string =>
  `${open.repeat(levels)}1${close.repeat(levels)}`;
const megabyte = 1_000_000;

/** Requests that are large, deep or long, each with the status that it must get. */
export const hostilePayloads: readonly [name: string, status: number, request: Ask][] = [
  ["10 MB with a Content-Length", 413, post(Buffer.alloc(10 * megabyte, 0x20))],
  ["10 MB in chunks", 413, post(Buffer.alloc(10 * megabyte, 0x20), { ...json, "Transfer-Encoding": "chunked" })],
  ["a gzip bomb of 10 MB", 415, post(gzipSync(Buffer.alloc(10 * megabyte)), { ...json, "Content-Encoding": "gzip" })],
  ["a gzip bomb that calls itself JSON", 400, post(gzipSync(Buffer.alloc(10 * megabyte)))],
  ["9,000 levels of lists", 400, post(nested(9_000, "[", "]"))],
  ["9,000 levels of objects", 400, post(nested(9_000, '{"a":', "}"))],
  ["9,000 levels in a field", 400, post(`{"name":${nested(9_000, "[", "]")},"currency":"EUR"}`)],
  ["9,000 levels in metadata", 400, post(`{"name":"W","currency":"EUR","metadata":${nested(9_000, '{"a":', "}")}}`)],
  ["9,000 levels that never close", 400, post("[".repeat(9_000))],
  ["10,000 keys", 400, post({ ...wallet, ...manyKeys(10_000) })],
  ["10,000 keys in metadata", 400, post({ ...wallet, metadata: manyKeys(10_000) })],
  [
    "10,000 bad keys in metadata",
    400,
    post({ ...wallet, metadata: Object.fromEntries(Object.keys(manyKeys(10_000)).map((key) => [`9${key}`, 1])) }),
  ],
  ["one key 10,000 times", 400, post(`{${'"a":1,'.repeat(9_999)}"a":1}`)],
  ["a number of 1 MB", 413, post(`{"name":${"9".repeat(megabyte)},"currency":"EUR"}`)],
  ["a number of 200 kB", 400, post(`{"name":${"9".repeat(200_000)},"currency":"EUR"}`)],
  ["a fraction of 200 kB", 400, post(`{"name":0.${"9".repeat(200_000)}e-9,"currency":"EUR"}`)],
  ["a text of 1 MB", 413, post({ ...wallet, name: "x".repeat(megabyte) })],
  ["a text of 200 kB", 400, post({ ...wallet, name: "x".repeat(200_000) })],
  ["a key of 200 kB", 400, post({ ...wallet, ["x".repeat(200_000)]: 1 })],
  ["200 kB of noise", 400, post(Buffer.alloc(200_000, createHash("sha512").update("noise").digest()))],
  ["200 kB of white space", 400, post(" ".repeat(200_000))],
  ["10,000 query parameters", 400, { target: `/api/v1/wallets?${"a&".repeat(5_000)}` }],
  ["1,000 other query parameters", 400, { target: `/api/v1/wallets?${Object.keys(manyKeys(1_000)).join("&")}` }],
  ["a body where none is taken", 400, { target: "/api/v1/wallets", headers: json, body: manyKeys(10_000) }],
];
