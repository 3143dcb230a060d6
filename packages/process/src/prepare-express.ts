/** The methods of an Express app that this function uses. */
type App = Record<"enable" | "disable", (name: string) => unknown> & { set(name: string, value: unknown): unknown };

/** Compares paths byte by byte, so that no second spelling passes the checks. The query remains a string. */
export function prepareExpress<Express extends App>(app: Express): Express {
  app.enable("case sensitive routing");
  app.enable("strict routing");
  app.disable("x-powered-by");
  app.disable("etag");
  app.set("query parser", false);
  return app;
}
