import { createPrivateKey, randomBytes, X509Certificate } from "node:crypto";
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { systemClock, type Clock } from "@gateway/kernel";
import type { IssuedCertificate, Validity } from "./issue-certificate.ts";

/** All in PEM. */
export type LocalAuthority = {
  /** Trust it in addition to the public authorities, and in development only. */
  authorityCertificate: string;
  /** The path of that certificate, for `curl --cacert`. */
  authorityFile: string;
  /** The server's, for localhost, 127.0.0.1 and ::1. */
  certificate: string;
  key: string;
};

/**
 * The certificate authority of this machine, made at the first start and kept in the data folder. It lasts ten years.
 * Its certificate for localhost, and the authority itself, are renewed when less than 30 days are left. Dates are
 * checked when this is called, not later. Only the owner can read the files, and several processes may start at once.
 * The authority can certify only localhost and loopback addresses.
 */
export async function createLocalAuthority(
  dataDir: string,
  { clock = systemClock }: { clock?: Clock } = {},
): Promise<LocalAuthority> {
  const folder = join(dataDir, "local-authority");
  await mkdir(dataDir, { recursive: true });
  const authority = await keepAuthority(folder, clock.now());
  const server = await keepServerCertificate(join(folder, "localhost.pem"), authority, clock.now());
  return { authorityCertificate: authority.certificate, authorityFile: join(folder, certificateFile), ...server };
}

const certificateFile = "ca.pem";
const keyFile = "ca-key.pem";
const dayMs = 24 * 60 * 60 * 1000;
const authorityLifeMs = 3_650 * dayMs;
/** Apple's systems refuse server certificates that last longer than 398 days. */
const serverLifeMs = 397 * dayMs;
const renewBeforeMs = 30 * dayMs;
/** Begins in the past, for clients whose clock is a little behind. */
const backdateMs = 60 * 60 * 1000;

const permitted = { dns: ["localhost"], ip: ["127.0.0.0/8", "::1/128"] };
const serverNames = { dns: ["localhost"], ip: ["127.0.0.1", "::1"] };

async function keepAuthority(folder: string, nowMs: number): Promise<IssuedCertificate> {
  const kept = await readAuthority(folder);
  if (kept && isCurrent(new X509Certificate(kept.certificate), nowMs)) {
    return kept;
  }
  if (kept) {
    await rm(folder, { recursive: true, force: true });
  }
  return makeAuthority(folder, nowMs);
}

/** The folder is created complete or not at all. When another process was first, its authority is used. */
async function makeAuthority(folder: string, nowMs: number): Promise<IssuedCertificate> {
  const { issueAuthority } = await loadIssuer();
  const commonName = `Gateway local authority ${randomBytes(4).toString("hex")}`;
  const made = await issueAuthority({ commonName, permitted, validity: validityOf(nowMs, authorityLifeMs) });
  const draft = await mkdtemp(`${folder}-`);
  try {
    await writePrivate(join(draft, certificateFile), made.certificate);
    await writePrivate(join(draft, keyFile), made.key);
    await rename(draft, folder);
    return made;
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    const theirs = await readAuthority(folder);
    if (!theirs) {
      throw error;
    }
    return theirs;
  }
}

async function readAuthority(folder: string): Promise<IssuedCertificate | null> {
  const certificate = await readIfThere(join(folder, certificateFile));
  const key = await readIfThere(join(folder, keyFile));
  if (certificate === null && key === null) {
    return null;
  }
  if (certificate === null || key === null || !isPair({ certificate, key })) {
    throw new Error(
      `The local authority in ${folder} is damaged. Delete that folder: a new one is made at the next start.`,
    );
  }
  return { certificate, key };
}

/** Certificate and key are one file, replaced at once, so that no reader sees half of a pair. */
async function keepServerCertificate(
  file: string,
  authority: IssuedCertificate,
  nowMs: number,
): Promise<IssuedCertificate> {
  const kept = splitPair((await readIfThere(file)) ?? "");
  if (kept && isPair(kept) && isIssuedBy(kept, authority, nowMs)) {
    return kept;
  }
  const { issueServerCertificate } = await loadIssuer();
  const validity = validityOf(nowMs, serverLifeMs);
  const made = await issueServerCertificate({ authority, names: serverNames, validity });
  const draft = `${file}.${randomBytes(6).toString("hex")}`;
  await writePrivate(draft, made.certificate + made.key);
  await rename(draft, file);
  return made;
}

/** Loaded only when a certificate is issued: the X.509 library takes 150 ms, and most starts need none. */
function loadIssuer() {
  return import("./issue-certificate.ts");
}

function validityOf(nowMs: number, lifeMs: number): Validity {
  const notBefore = new Date(nowMs - backdateMs);
  return { notBefore, notAfter: new Date(notBefore.getTime() + lifeMs) };
}

function isCurrent(certificate: X509Certificate, nowMs: number): boolean {
  return Date.parse(certificate.validFrom) <= nowMs && nowMs < Date.parse(certificate.validTo) - renewBeforeMs;
}

function isIssuedBy(server: IssuedCertificate, authority: IssuedCertificate, nowMs: number): boolean {
  const certificate = new X509Certificate(server.certificate);
  return isCurrent(certificate, nowMs) && certificate.verify(new X509Certificate(authority.certificate).publicKey);
}

function isPair({ certificate, key }: IssuedCertificate): boolean {
  try {
    return new X509Certificate(certificate).checkPrivateKey(createPrivateKey(key));
  } catch {
    return false;
  }
}

function splitPair(text: string): IssuedCertificate | null {
  const keyStart = text.indexOf("-----BEGIN PRIVATE KEY-----");
  return keyStart === -1 ? null : { certificate: text.slice(0, keyStart), key: text.slice(keyStart) };
}

function writePrivate(file: string, text: string): Promise<void> {
  return writeFile(file, text, { mode: 0o600, flag: "wx" });
}

async function readIfThere(file: string): Promise<string | null> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") {
      return null;
    }
    throw error;
  }
}
