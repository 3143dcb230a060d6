import type { Request, RequestHandler, Response } from "express";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { auditOriginOf } from "../browser/audit-origin.ts";
import { TooBusy } from "../browser/password-hasher.ts";
import { readForm, UnreadableForm, type Form } from "../browser/read-form.ts";
import { InteractionOver } from "../provider/interactions.ts";
import { renderErrorPage } from "../views/error-page.ts";
import { renderLayout } from "../views/layout.ts";
import { gone } from "./interaction-over.ts";
import { Refusal, type PageAnswer, type PageDeps, type PageHandler, type Visit } from "./page.ts";

/** The lifecycle of every page: find the session, check the form, run the page's own work, send the response. */
export function servePage(
  handle: PageHandler,
  deps: PageDeps,
  /** Handles a form that was shown before a user signed in with this browser. The form itself has no effect. */
  whenSignedIn?: PageHandler,
): RequestHandler {
  return async (req, res) => {
    try {
      const { visit, isOfBefore } = await (req.method === "POST"
        ? receiveForm(req, res, deps)
        : receiveVisit(req, res, deps));
      if (isOfBefore && !whenSignedIn) {
        throw outOfDate();
      }
      const answering = isOfBefore && whenSignedIn ? whenSignedIn : handle;
      await send(res, await answering(visit, req.method === "POST" ? asVisitor(req, deps) : deps), deps);
    } catch (error) {
      sendRefusal(res, refusalOf(error));
    }
  };
}

/** Records the changes of a form as its sender's. */
function asVisitor(req: Request, deps: PageDeps): PageDeps {
  return { ...deps, platform: deps.platform.from(auditOriginOf(req)) };
}

const noForm: Form = { get: () => null };

type Received = { visit: Visit; isOfBefore: boolean };

async function receiveVisit(req: Request, res: Response, { sessions, csrf }: PageDeps): Promise<Received> {
  const session = await sessions.find(req);
  const browser = csrf.ensureBrowser(req, res);
  const token = csrf.tokenOf({ browser, sessionId: session?.sessionId ?? null });
  const visit = { req, res, session, browser, csrf: token, query: queryOf(req), form: noForm };
  return { visit, isOfBefore: false };
}

/** Refuses a form that is not from our own pages before the page's handler sees it. */
async function receiveForm(req: Request, res: Response, { sessions, csrf }: PageDeps): Promise<Received> {
  const form = await readForm(req);
  const session = await sessions.find(req);
  const browser = csrf.findBrowser(req);
  const of = { browser: browser ?? "", sessionId: session?.sessionId ?? null };
  const token = form.get("csrf");
  const isOurs = csrf.isOurs(req, token, of);
  const isOfBefore = !isOurs && csrf.isOurs(req, token, { ...of, sessionId: null });
  if (browser === null || !(isOurs || isOfBefore)) {
    throw outOfDate();
  }
  const visit = { req, res, session, browser, csrf: csrf.tokenOf(of), query: queryOf(req), form };
  return { visit, isOfBefore };
}

function outOfDate(): Refusal {
  return new Refusal(403, {
    title: "This form is out of date",
    message:
      "The form does not belong to a page that this browser has open now. Nothing was changed. Go back, load the page again and send it once more; your browser must accept cookies.",
  });
}

/** Avoids `new URL`, which throws for some targets. */
function queryOf({ originalUrl }: Request): URLSearchParams {
  const start = originalUrl.indexOf("?");
  return new URLSearchParams(start === -1 ? "" : originalUrl.slice(start));
}

async function send(res: Response, answer: PageAnswer, { livemode }: PageDeps): Promise<void> {
  if (answer.kind === "redirect") {
    res.redirect(303, answer.to);
    return;
  }
  if (answer.kind === "download") {
    res.type(answer.mediaType).attachment(answer.fileName);
    await pipeline(Readable.from(answer.chunks), res);
    return;
  }
  const { status = 200, retryAfterSeconds, kind: _, ...layout } = answer;
  if (retryAfterSeconds !== undefined) {
    res.setHeader("Retry-After", String(retryAfterSeconds));
  }
  res
    .status(status)
    .type("html")
    .send(renderLayout({ ...layout, isSandbox: !livemode }));
}

function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) {
    return error;
  }
  if (error instanceof InteractionOver) {
    return gone(null);
  }
  if (error instanceof UnreadableForm) {
    return new Refusal(error.status, { title: "This form cannot be read", message: error.message });
  }
  if (error instanceof TooBusy) {
    return new Refusal(503, {
      title: "Too many people sign in at this moment",
      message: "Your password was not checked. Go back and try again in a few seconds.",
      retryAfterSeconds: 2,
    });
  }
  throw error;
}

function sendRefusal(res: Response, { status, content, retryAfterSeconds }: Refusal): void {
  if (retryAfterSeconds !== undefined) {
    res.setHeader("Retry-After", String(retryAfterSeconds));
  }
  res.status(status).type("html").send(renderErrorPage(content));
}
