/** `node:crypto` where it is not needed at once: to load it is a tenth of what the start of a thread costs. */
export const cryptoOnDemand = () => process.getBuiltinModule('node:crypto');
