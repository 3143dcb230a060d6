/** As much of an Express app as this needs. */
type App = Record<"enable" | "disable", (name: string) => unknown> & { set(name: string, value: unknown): unknown };

/** Paths are compared byte by byte, so no second spelling passes the checks. The query stays text. */
export function prepareExpress<Express extends App>(app: Express): Express {
  app.enable("case sensitive routing");
  app.enable("strict routing");
  app.disable("x-powered-by");
  app.disable("etag");
  app.set("query parser", false);
  return app;
}
