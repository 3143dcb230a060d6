/**
 * The one application that is ours, and belongs to no account: people who use it do what no program may. Also what no
 * other application may be called, however it is written, for people would take it for this one.
 */
export const consoleApplication = { id: "console", name: "Console" } as const;
