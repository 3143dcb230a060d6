import type { Clock, Logger } from "@gateway/kernel";
import type { Platform } from "@gateway/platform/compose/platform";
import type { Request, Response } from "express";
import type { Afterwards } from "../browser/afterwards.ts";
import type { BrowserSession, BrowserSessions } from "../browser/browser-session.ts";
import type { Csrf } from "../browser/csrf.ts";
import type { KnownDevices } from "../browser/known-devices.ts";
import type { PasskeyCeremonies } from "../browser/passkey-ceremonies.ts";
import type { PasswordHasher } from "../browser/password-hasher.ts";
import type { Form } from "../browser/read-form.ts";
import type { SealedForms } from "../browser/sealed-forms.ts";
import type { Throttle } from "../browser/throttle.ts";
import type { Interactions } from "../provider/interactions.ts";
import type { ErrorPage } from "../views/error-page.ts";
import type { Layout } from "../views/layout.ts";

export type PageDeps = {
  platform: Platform;
  interactions: Interactions;
  sessions: BrowserSessions;
  csrf: Csrf;
  devices: KnownDevices;
  ceremonies: PasskeyCeremonies;
  sealedForms: SealedForms;
  passwords: PasswordHasher;
  throttle: Throttle;
  afterwards: Pick<Afterwards, "do">;
  clock: Clock;
  logger: Logger;
  /** Our own address, with which every link in a mail begins. */
  issuer: string;
  apiUrl: string;
  /** Null when the address is not configured. */
  docsUrl: string | null;
  /** Null when the deployment has no console. */
  consoleUrl: string | null;
  livemode: boolean;
};

export type Visit = {
  req: Request;
  res: Response;
  session: BrowserSession | null;
  /** The value of the browser's cookie, signed in or not. */
  browser: string;
  csrf: string;
  query: URLSearchParams;
  form: Form;
};

export type PageContent = { kind: "page"; status?: number; retryAfterSeconds?: number } & Omit<Layout, "isSandbox">;
/** A file, sent in pieces as they are read. */
type Download = { kind: "download"; fileName: string; mediaType: string; chunks: AsyncIterable<string> };
export type PageAnswer = PageContent | Download | { kind: "redirect"; to: string };
export type PageHandler = (visit: Visit, deps: PageDeps) => Promise<PageAnswer>;
export type SignedInVisit = Visit & { session: BrowserSession };

export function redirect(to: string): PageAnswer {
  return { kind: "redirect", to };
}

export function page(content: Omit<PageContent, "kind">): PageContent {
  return { kind: "page", ...content };
}

export class Refusal extends Error {
  override name = "Refusal";
  readonly status: number;
  readonly retryAfterSeconds: number | undefined;
  readonly content: ErrorPage;

  constructor(status: number, content: ErrorPage & { retryAfterSeconds?: number }) {
    super(content.message);
    this.status = status;
    this.retryAfterSeconds = content.retryAfterSeconds;
    this.content = content;
  }
}
