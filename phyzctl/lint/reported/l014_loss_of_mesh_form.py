"""A mesh that is written anew in another form.

What it checks
    The mesh files of a robot that is written as MJCF: COLLADA, glTF, PLY and OFF files, STL files
    in ASCII or of more than 200,000 faces, and OBJ files of several objects become OBJ files of
    one object.

Why it matters
    MuJoCo loads none of these, or only their first object. Vertices and faces stay as they are;
    colours and textures inside the file go.

Fix
    None is needed, unless the looks matter: then give the geoms materials.
"""

from __future__ import annotations

from phyzctl import codes

CODE = codes.LOSS_OF_MESH_FORM
REPORTED_BY = "writer"
