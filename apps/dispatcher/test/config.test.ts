import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { readDispatcherConfig } from "../src/config.ts";

const production = {
  DATABASE_URL: "postgres://localhost/gateway",
  ENCRYPTION_KEYS: randomBytes(32).toString("base64"),
  LIVEMODE: "true",
  SMTP_URL: "smtps://mail.example.com",
  MAIL_FROM: "alerts@example.com",
};

test("production's settings are accepted", () => {
  expect(readDispatcherConfig(production)).toMatchObject({ livemode: true, allowedHosts: [], extraCaFiles: [] });
});

test.each([
  [{ WEBHOOK_ALLOWED_HOSTS: "localhost" }, "WEBHOOK_ALLOWED_HOSTS"],
  [{ WEBHOOK_EXTRA_CA: "/ca.pem" }, "WEBHOOK_EXTRA_CA"],
  [{ RETRY_TIME_SCALE: "60" }, "RETRY_TIME_SCALE"],
  [{ SMTP_URL: "" }, "SMTP_URL"],
])("production refuses %o", (env, named) => {
  expect(() => readDispatcherConfig({ ...production, ...env })).toThrow(named);
});
