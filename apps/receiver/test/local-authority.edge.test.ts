import { X509Certificate } from "node:crypto";
import { readdir, rm, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { createTestClock } from "@gateway/testkit";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { issueAuthority, issueServerCertificate } from "../src/authority/issue-certificate.ts";
import { createLocalAuthority } from "../src/authority/local-authority.ts";
import { makeDataFolder, type DataFolder } from "./support/data-folder.ts";
import { send } from "./support/https-client.ts";

const dayMs = 24 * 60 * 60 * 1000;
const folderOf = (data: DataFolder): string => join(data.path, "local-authority");

let data: DataFolder;
beforeEach(async () => {
  data = await makeDataFolder();
});
afterEach(() => data[Symbol.asyncDispose]());

test("the first start makes the files, for their owner alone; the next takes them as they are", async () => {
  const first = await createLocalAuthority(data.path);

  expect((await readdir(data.path)).toSorted()).toEqual(["local-authority"]);
  const files = await readdir(folderOf(data));
  expect(files.toSorted()).toEqual(["ca-key.pem", "ca.pem", "localhost.pem"]);
  for (const file of files) {
    expect((await stat(join(folderOf(data), file))).mode & 0o777).toBe(0o600);
  }
  expect((await stat(folderOf(data))).mode & 0o777).toBe(0o700);
  expect(await createLocalAuthority(data.path)).toEqual(first);
});

test("the server's certificate is for localhost and loopback, signed by the authority", async () => {
  const { certificate, authorityCertificate } = await createLocalAuthority(data.path);
  const server = new X509Certificate(certificate);
  const authority = new X509Certificate(authorityCertificate);

  expect(server.subjectAltName).toBe("DNS:localhost, IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1");
  expect([server.ca, authority.ca]).toEqual([false, true]);
  expect(server.checkIssued(authority) && server.verify(authority.publicKey)).toBe(true);
});

describe("renewal", () => {
  test("with less than 30 days left the server's certificate is new, and the authority stays", async () => {
    const clock = createTestClock();
    const first = await createLocalAuthority(data.path, { clock });
    clock.advance(366 * dayMs);
    expect(await createLocalAuthority(data.path, { clock })).toEqual(first);
    clock.advance(2 * dayMs);
    const renewed = await createLocalAuthority(data.path, { clock });

    expect(renewed.certificate).not.toBe(first.certificate);
    expect(renewed.authorityCertificate).toBe(first.authorityCertificate);
    expect(Date.parse(new X509Certificate(renewed.certificate).validTo)).toBeGreaterThan(clock.now() + 390 * dayMs);
    expect(await createLocalAuthority(data.path, { clock })).toEqual(renewed);
  });

  test("after ten years the authority is new too", async () => {
    const clock = createTestClock();
    const first = await createLocalAuthority(data.path, { clock });
    clock.advance(3_630 * dayMs);
    const renewed = await createLocalAuthority(data.path, { clock });

    expect(renewed.authorityCertificate).not.toBe(first.authorityCertificate);
    const authority = new X509Certificate(renewed.authorityCertificate);
    expect(new X509Certificate(renewed.certificate).verify(authority.publicKey)).toBe(true);
  });
});

test("ten starts at once agree on one authority and leave no draft behind", async () => {
  const made = await Promise.all(Array.from({ length: 10 }, () => createLocalAuthority(data.path)));

  expect(new Set(made.map(({ authorityCertificate }) => authorityCertificate)).size).toBe(1);
  expect(await readdir(data.path)).toEqual(["local-authority"]);
  expect((await readdir(folderOf(data))).toSorted()).toEqual(["ca-key.pem", "ca.pem", "localhost.pem"]);
});

describe("damage", () => {
  test.each(["", "nonsense", "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----"])(
    "a server certificate that cannot be read is made anew: %j",
    async (text) => {
      const first = await createLocalAuthority(data.path);
      await writeFile(join(folderOf(data), "localhost.pem"), text);

      const mended = await createLocalAuthority(data.path);
      expect(mended.authorityCertificate).toBe(first.authorityCertificate);
      expect(new X509Certificate(mended.certificate).subject).toBe("CN=localhost");
    },
  );

  test("an authority without its key is an error that says what to delete", async () => {
    await createLocalAuthority(data.path);
    await rm(join(folderOf(data), "ca-key.pem"));

    await expect(createLocalAuthority(data.path)).rejects.toThrow(`Delete that folder`);
  });
});

test("stolen, the authority vouches for no other name: a client that trusts it still refuses", async () => {
  const validity = { notBefore: new Date(Date.now() - dayMs), notAfter: new Date(Date.now() + dayMs) };
  const permitted = { dns: ["localhost"], ip: ["127.0.0.0/8"] };
  const authority = await issueAuthority({ commonName: "Test", permitted, validity });
  const names = { dns: ["bank.example"], ip: [] };
  const { certificate, key } = await issueServerCertificate({ authority, names, validity });
  await using server = createServer({ cert: certificate, key }, (_req, res) => res.end("{}"));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;

  const attempt = send(`https://127.0.0.1:${port}/`, { ca: authority.certificate, servername: "bank.example" });
  await expect(attempt).rejects.toThrow(/permitted subtree violation/);
});
