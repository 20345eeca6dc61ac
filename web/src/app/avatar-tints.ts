/** The colours of avatars without a picture, chosen by name. Blue is not among them: it stands for actions. */
export const avatarTints = ['cyan', 'grape', 'green', 'indigo', 'lime', 'orange', 'pink', 'red', 'teal', 'violet']
