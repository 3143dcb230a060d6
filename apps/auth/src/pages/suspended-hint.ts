/** What an operator decided is for the operator to explain. */
export const suspendedHint = "Nobody can sign in to it from an application until who runs this service resumes it.";
