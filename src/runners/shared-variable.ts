/** The environment variable with the address of the server that workers share. */
export const sharedServerVariable = "KUBEDOUBLE_SHARED_SERVER";
