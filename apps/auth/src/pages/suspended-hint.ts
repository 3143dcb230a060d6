/** What an operator decided is for the operator to explain. */
export const suspendedHint = "Nothing can be done in it until who runs this service resumes it. Write to them.";
