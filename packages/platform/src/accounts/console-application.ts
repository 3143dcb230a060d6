/** The one application that is ours and of no account: people do with it what no program may. Its name is reserved. */
export const consoleApplication = { id: "console", name: "Console" } as const;
