import { createExpressListener } from "@gateway/process";
import express, { type Express } from "express";
import type { RequestListener } from "node:http";
import { answerRefusal, refuseRest, type AnswerRefusalDeps } from "./answer-refusal.ts";
import { beginVisit } from "./begin-visit.ts";
import type { ConsoleObserver } from "./observer.ts";
import { servePage, type ServePageDeps } from "./serve/serve-page.ts";

export type ConsoleDeps = AnswerRefusalDeps &
  ServePageDeps & {
    observer: ConsoleObserver;
    isSecure: boolean;
    /** Addresses and networks whose X-Forwarded-For is believed. */
    trustedProxies: readonly string[];
  };

/** The way of a request, top to bottom. What reaches no route is refused at the end. */
export function createConsoleApp(deps: ConsoleDeps): Express {
  const app = express();
  app.enable("case sensitive routing");
  app.enable("strict routing");
  app.disable("x-powered-by");
  app.disable("etag");
  app.set("query parser", false);
  app.set("trust proxy", [...deps.trustedProxies]);

  app.use(beginVisit(deps));
  app.use(servePage(deps));
  app.use(refuseRest, answerRefusal(deps));
  return app;
}

export function createConsoleHandler(deps: ConsoleDeps): RequestListener {
  return createExpressListener(createConsoleApp(deps));
}
