import { runLoad, type LoadJob } from "./run-load.ts";

/** The other side of `startLoadGenerator`: one job after another, until the parent lets go. */
process.on("message", (job: LoadJob) => {
  runLoad(job).then(
    (result) => process.send?.({ result }),
    (error: unknown) => process.send?.({ failure: error instanceof Error ? error.message : String(error) }),
  );
});
process.once("disconnect", () => process.exit());
