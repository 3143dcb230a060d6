export { startBuildWhenStale } from "./background-build.ts";
export type { BackgroundBuild } from "./background-build.ts";
export { compressedEndings, hashInputs, inputsFileName, readBuiltFile, writeCompressed } from "./built-folder.ts";
export type { BuiltFile } from "./built-folder.ts";
export { backgroundConfigOf, backgroundSettings } from "./background-settings.ts";
export type { BackgroundConfig } from "./background-settings.ts";
export { startClaimLoop } from "./claim-loop.ts";
export type { ClaimLoop, ClaimLoopDeps, ClaimLimits } from "./claim-loop.ts";
export { startWithClosers } from "./closers.ts";
export type { Closers } from "./closers.ts";
export { databaseConfigOf, databaseSettings } from "./database-settings.ts";
export type { DatabaseConfig } from "./database-settings.ts";
export { checkEnvironment } from "./environment-faults.ts";
export { createExpressListener, isOriginForm, isPercentEncodedUtf8 } from "./express-listener.ts";
export { findRepeatedHeader } from "./find-repeated-header.ts";
export { addGauges, measureSeldom } from "./gauges.ts";
export { hostForUrl } from "./host-for-url.ts";
export { deleteInBatches, startMaintenance } from "./maintenance.ts";
export type { Maintenance } from "./maintenance.ts";
export { findDatabaseObstacle, startManagement } from "./management.ts";
export { createOutageLog, type OutageTexts } from "./outage-log.ts";
export { addDatabaseMetrics } from "./database-metrics.ts";
export type { MeasuredDatabase } from "./database-metrics.ts";
export { asText, plainPage, unbuiltPage } from "./plain-page.ts";
export { checkPortsDiffer, portSetting } from "./ports.ts";
export type { Ports } from "./ports.ts";
export { prepareExpress } from "./prepare-express.ts";
export { createProgress } from "./progress.ts";
export { replaceFolder } from "./replace-folder.ts";
export {
  createRequestMetrics,
  createRequestObserver,
  type RequestMetrics,
  type RequestObserver,
} from "./request-observer.ts";
export { checkRequiredSettings, requiredSettingsOf } from "./required-settings.ts";
export type { RequiredSettings } from "./required-settings.ts";
export { runProgram } from "./run-program.ts";
export type { Program } from "./run-program.ts";
export { startServer } from "./server.ts";
export type { RunningServer, ServerOptions } from "./server.ts";
export { startServers } from "./start-servers.ts";
export type { RunningServers, ServersOptions } from "./start-servers.ts";
export type { AnswerUnreadable, UnreadableRequest } from "./unreadable-request.ts";
export { backoffMs, tellFailure } from "./failure.ts";
export { accountShareOf, createCounts } from "./slots.ts";
export { createWakeSignal } from "./wake-signal.ts";
export type { WakeSignal } from "./wake-signal.ts";
export { within } from "./within.ts";
