import { believeProxies } from "@gateway/limits";
import { createExpressListener, prepareExpress, type RequestObserver } from "@gateway/process";
import express, { type Express, type RequestHandler } from "express";
import type { RequestListener } from "node:http";
import { answerRefusal, refuseHosts, refuseRest, type AnswerRefusalDeps } from "./answer-refusal.ts";
import { beginVisit } from "./begin-visit.ts";
import { forwardCall, type ForwardCallDeps } from "./proxy/forward-call.ts";
import { requireSecurePlace } from "./serve/require-secure-place.ts";
import { servePage, type ServePageDeps } from "./serve/serve-page.ts";
import { requirePage } from "./session/require-page.ts";
import { callback, clearSiteData, signIn, signOut, type SessionRoutesDeps } from "./session/routes.ts";
import { tellSession, type TellSessionDeps } from "./session/tell-session.ts";

export type ConsoleDeps = AnswerRefusalDeps &
  ServePageDeps &
  SessionRoutesDeps &
  TellSessionDeps &
  ForwardCallDeps & {
    observer: RequestObserver;
    /** The identity provider's address, as browsers know it. */
    authOrigin: string;
    /** Addresses and networks whose X-Forwarded-For is believed. */
    trustedProxies: readonly string[];
  };

/** The way of a request, top to bottom. What reaches no route is refused at the end. */
function createConsoleApp(deps: ConsoleDeps): Express {
  const app = prepareExpress(express());
  believeProxies(app, deps.trustedProxies);

  app.use(beginVisit(deps), refuseHosts);
  const securely = requireSecurePlace(deps);
  app.get("/sign-in", named("sign-in"), securely, signIn(deps));
  app.get("/callback", named("callback"), securely, callback(deps));
  app.get("/session", named("session"), requirePage, tellSession(deps));
  app.post("/sign-out", named("sign-out"), requirePage, signOut(deps));
  app.post("/clear-site-data", named("clear-site-data"), requirePage, clearSiteData);
  // The document's paths and all that could be taken for one: none of them is ever a screen.
  app.use("/api", requirePage, forwardCall(deps));
  app.use(securely, servePage(deps));
  app.use(refuseRest, answerRefusal(deps));
  return app;
}

export function createConsoleHandler(deps: ConsoleDeps): RequestListener {
  return createExpressListener(createConsoleApp(deps));
}

/** For the log and the metrics. */
function named(route: string): RequestHandler {
  return (req, _res, next) => {
    req.visit.route = route;
    next();
  };
}
