import { isLockTimeout, isUnavailable } from "@gateway/database";
import { retryAfterSecondsOf, type RateLimitState } from "@gateway/limits";
import { findRepeatedHeader, isOriginForm, isPercentEncodedUtf8 } from "@gateway/process";
import type { ErrorRequestHandler, Request, RequestHandler, Response } from "express";
import type { UnreadableForm } from "./browser/read-form.ts";
import type { AuthObserver } from "./observer.ts";
import { renderErrorPage } from "./views/error-page.ts";

const notUtf8 = "The address holds a percent-encoding that is not UTF-8.";

type Failure = { status: number; error: string; title: string; message: string; retryAfterSeconds?: number };

export const refuseAddress: RequestHandler = (req, res) => {
  answer(req, res, {
    status: 404,
    error: "not_found",
    title: "There is no such page",
    message: "The address is wrong, or the page is gone. Check the link that brought you here.",
  });
};

/** Refuses a target that is not a path, and a request that names two hosts (RFC 9112, 3.2). */
export const refuseTarget: RequestHandler = (req, res, next) => {
  const message = faultOfTarget(req);
  if (message === null) {
    next();
    return;
  }
  answer(req, res, { status: 400, error: "invalid_request", title: "This is not an address of this service", message });
};

/** The fault of a target, or null. A parser would replace `%c0%af` in a query with U+FFFD, so it is refused first. */
function faultOfTarget({ originalUrl, rawHeaders }: Request): string | null {
  if (!isOriginForm(originalUrl)) {
    return "A request names a path that begins with a slash.";
  }
  if (findRepeatedHeader(rawHeaders, ["host"]) !== null) {
    return "A request names its host once.";
  }
  const [, query = ""] = originalUrl.split(/\?(.*)/s);
  return isPercentEncodedUtf8(query) ? null : notUtf8;
}

export const refuseMethod =
  (allowed: readonly string[]): RequestHandler =>
  (req, res) => {
    res.setHeader("Allow", allowed.map((method) => method.toUpperCase()).join(", "));
    answer(req, res, {
      status: 405,
      error: "invalid_request",
      title: "That does not work here",
      message: `This address takes ${allowed.join(" and ").toUpperCase()} only.`,
    });
  };

export function refuseTooMany(req: Request, res: Response, state: RateLimitState): void {
  const retryAfterSeconds = retryAfterSecondsOf(state);
  answer(req, res, {
    status: 429,
    // RFC 6749 has no other error code for it.
    error: "temporarily_unavailable",
    title: "Too many requests",
    message: `Too many requests came from your address. Try again in ${retryAfterSeconds} s.`,
    retryAfterSeconds,
  });
}

/** Responds to an application's mistake that its user can only leave by going back. */
export function refuseParameter(req: Request, res: Response, reason: string): void {
  answer(req, res, {
    status: 400,
    error: "invalid_request",
    title: "This request cannot be answered",
    message: `The application that sent you here made a mistake: ${reason}. Go back to it and try again, or tell the people who make it.`,
  });
}

export function refuseForm(req: Request, res: Response, { status }: UnreadableForm): void {
  answer(req, res, {
    status,
    error: "invalid_request",
    title: "This request cannot be answered",
    message:
      "The application that sent you here sent no form that can be read. Go back to it and try again, or tell the people who make it.",
  });
}

/** The last stage. The error's text goes to the log only. */
export function answerFailure({ observer }: { observer: Pick<AuthObserver, "requestFailed"> }): ErrorRequestHandler {
  // Express knows an error handler by its four parameters.
  return (error: unknown, req, res, _next) => {
    if (res.headersSent || res.destroyed) {
      res.destroy();
      return;
    }
    const failure = failureOf(error);
    if (failure.status >= 500) {
      observer.requestFailed({ requestId: String(res.getHeader("X-Request-Id")), error });
    }
    answer(req, res, failure);
  };
}

function failureOf(error: unknown): Failure {
  if (isUnavailable(error) || isLockTimeout(error)) {
    return {
      status: 503,
      error: "temporarily_unavailable",
      title: "Not available right now",
      message: "The sign-in service cannot reach its database at the moment. Try again in a minute.",
      retryAfterSeconds: 1,
    };
  }
  if (error instanceof URIError) {
    return {
      status: 400,
      error: "invalid_request",
      title: "This is not an address of this service",
      message: notUtf8,
    };
  }
  return {
    status: 500,
    error: "server_error",
    title: "Something went wrong",
    message: "That was our mistake. Try again in a moment.",
  };
}

function answer(req: Request, res: Response, { status, error, title, message, retryAfterSeconds }: Failure): void {
  res.status(status);
  if (retryAfterSeconds !== undefined) {
    res.setHeader("Retry-After", String(retryAfterSeconds));
  }
  if (isForPrograms(req)) {
    res.json({ error, error_description: message });
  } else {
    res.type("html").send(renderErrorPage({ title, message }));
  }
}

/** Programs get JSON. Addresses that browsers are redirected to get a page. */
function isForPrograms(req: Request): boolean {
  return /^\/(?:api\/|\.well-known\/)/i.test(req.path) && req.accepts("json", "html") === "json";
}
