/** The variable of the environment in which workers find the server that they share. */
export const sharedServerVariable = "KUBEDOUBLE_SHARED_SERVER";
