import { resolve } from "node:path";
import { expect, test } from "vitest";
import { readReceiverConfig } from "../src/config.ts";

const repository = resolve(import.meta.dirname, "../../..");

test("with nothing set it runs on localhost:8443 from the data folder", () => {
  expect(readReceiverConfig({})).toEqual({
    port: 8443,
    host: "localhost",
    secret: null,
    tlsFiles: null,
    dataDir: resolve(repository, ".data"),
  });
});

test("a certificate of one's own", () => {
  const env = { RECEIVER_CERTIFICATE_FILE: "tls/cert.pem", RECEIVER_KEY_FILE: "/etc/key.pem", WEBHOOK_SECRET: "a" };
  expect(readReceiverConfig(env)).toMatchObject({
    secret: "a",
    tlsFiles: { certificate: resolve(repository, "tls/cert.pem"), key: "/etc/key.pem" },
  });
});

test("every fault is named at once", () => {
  const read = (): unknown => readReceiverConfig({ RECEIVER_PORT: "0", RECEIVER_KEY_FILE: "key.pem" });
  expect(read).toThrow(/RECEIVER_PORT must be[^]*RECEIVER_CERTIFICATE_FILE and RECEIVER_KEY_FILE belong together/);
});
