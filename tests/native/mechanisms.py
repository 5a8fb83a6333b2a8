"""Small mechanisms with every kind of force, for whoever compares them with MuJoCo's."""

from __future__ import annotations

# Everything that may go wrong between a force and a step, in small.
BODIES = {
    "tendons": """
        <worldbody><body><joint name="a" axis="0 1 0"/><geom size=".1" pos=".2 0 0"/>
          <body pos=".5 0 0"><joint name="b" axis="0 1 0"/><geom size=".1" pos=".3 0 .1"/></body>
          <body pos="0 .5 0"><joint name="c" type="slide"/><geom size=".1"/></body></body>
        </worldbody>
        <tendon>
          <fixed name="t" stiffness="50" damping="3" springlength="-.1 .2"
            actuatorfrcrange="-4 4"><joint joint="a" coef="1"/><joint joint="b" coef="-.5"/></fixed>
          <fixed name="s" stiffness="20" damping="2"><joint joint="b" coef="2"/>
            <joint joint="c" coef=".7"/></fixed>
        </tendon>
        <actuator><position tendon="t" kp="30" kv="2" gear="2"/><velocity tendon="t" kv="5"/>
          <position tendon="s" kp="5" kv="1" forcerange="-1 1"/></actuator>""",
    "clamps": """
        <worldbody><body><joint name="a" axis="0 1 0" actuatorfrcrange="-2 2" damping=".3"/>
          <geom size=".1" pos=".2 0 0"/><body pos=".5 0 0"><joint name="b" axis="0 0 1"/>
          <geom size=".1" pos=".3 0 .1"/></body></body></worldbody>
        <actuator><velocity joint="a" kv="30"/><motor joint="a" gear="-2" ctrlrange="-.4 .3"/>
          <position joint="b" kp="40" kv="9" forcerange="-3 3" gear="1.5"/>
          <damper joint="b" kv="4" ctrlrange="0 1"/></actuator>""",
    "gravity carried": """
        <worldbody><body gravcomp=".7"><joint name="a" axis="0 1 0" actuatorgravcomp="true"
          actuatorfrcrange="-5 5"/><geom size=".1" pos=".2 0 0"/>
          <body pos=".5 0 0" gravcomp="1.2"><joint axis="1 1 0"/><geom size=".1" pos=".3 0 .1"/>
          <body pos="0 0 .2" gravcomp="1"><geom size=".05"/></body></body></body></worldbody>
        <actuator><motor joint="a"/></actuator>""",
    "balls and springs": """
        <worldbody><body><joint name="a" type="ball" stiffness="9" damping=".4" pos=".1 0 .2"/>
          <geom type="box" size=".1 .2 .3" pos=".2 0 0"/>
          <body pos=".5 0 0"><joint name="b" stiffness="7" springref=".4" ref=".1"/>
          <geom size=".1" pos=".3 0 .1"/></body></body>
          <body pos="1 1 1"><joint name="f" type="free" stiffness="5" damping=".2"/>
          <geom type="box" size=".1 .2 .3" pos=".05 .1 0"/></body></worldbody>
        <actuator><motor joint="a" gear="1 2 3"/><motor jointinparent="a" gear="3 2 1"/>
          <general joint="a" gear=".3 .2 .1" biastype="affine" biasprm="0 -4 -1"/>
          <motor joint="f" gear="1 2 3 4 5 6"/><motor jointinparent="f" gear="6 5 4 3 2 1"/>
        </actuator>""",
    "free bodies": """
        <worldbody>
          <body><freejoint/><geom type="box" size=".1 .2 .3" pos=".3 .1 -.2" euler="10 20 30"/>
            <body pos="0 .3 0"><geom size=".1"/></body></body>
          <body pos="2 0 0"><joint type="free" damping=".3" armature=".01"/>
            <geom type="box" size=".1 .2 .3"/></body>
          <body pos="4 0 0"><freejoint/><geom type="box" size=".1 .2 .3" pos=".1 0 0"/>
            <body pos="0 .3 0"><joint damping=".1"/><geom size=".1" pos=".1 0 0"/></body></body>
        </worldbody>""",
    "sites": """
        <worldbody><body><freejoint/><geom type="box" size=".1 .2 .3" pos=".3 .1 -.2"/>
          <site name="s" pos=".1 .2 0" euler="20 30 40"/><body pos="0 .3 0">
          <joint axis="1 0 1" actuatorfrcrange="-3 3" damping=".1"/><geom size=".1" pos="0 .2 0"/>
          <site name="t" pos="0 .2 .1" euler="0 80 0"/></body></body><site name="w"/></worldbody>
        <actuator><motor site="s" gear="1 2 3 .1 .2 .3"/><motor site="w"/>
          <general site="t" gear="0 0 2 0 .3 0" biastype="affine" biasprm=".1 3 -4"/>
          <velocity site="t" kv="9" forcerange="-1 1" gear="0 1 0 0 0 0"/></actuator>""",
    "several joints": """
        <worldbody><body euler="10 20 30" pos="0 .1 .2"><joint type="slide" axis="1 0 1"/>
          <joint axis="0 1 1" pos=".1 .2 0" armature=".2"/><joint type="slide" axis="0 0 1"/>
          <joint type="ball" pos="0 .1 .1"/><geom type="box" size=".1 .2 .3" pos=".2 0 0"/>
          <body pos=".3 0 0"><geom size=".1"/><body pos=".1 .1 0"><joint pos="0 0 .2" axis="1 2 3"/>
          <geom size=".1 .2" type="capsule"/></body></body></body></worldbody>""",
    "sites apart": """
        <worldbody><site name="w" pos=".1 .2 1" euler="10 20 30"/>
          <body pos="0 0 1"><joint axis="0 1 0"/><geom size=".1" pos=".2 0 0"/>
          <site name="s" pos=".3 .1 0" euler="20 30 40"/>
          <body pos=".5 0 0"><joint name="b" type="ball"/><geom size=".1" pos=".3 0 .1"/>
            <site name="t" pos=".3 .1 .3" euler="0 50 10"/></body>
          <body pos="0 .5 0"><joint axis="1 0 0"/><geom size=".1" pos=".3 0 .1"/>
            <site name="u" pos=".1 .2 -.3"/></body></body>
          <body pos="0 .6 1"><freejoint/><geom size=".1"/><site name="f" pos="0 .1 .1"/></body>
        </worldbody>
        <actuator>
          <general site="t" refsite="u" gear="1 2 3 0 0 0" biastype="affine" biasprm="1 -2 -.3"/>
          <position site="t" refsite="s" kp="3" kv=".4" gear=".5 0 -1 .1 .2 .3"/>
          <velocity site="w" refsite="f" kv="2" gear="1 2 3 0 0 0"/>
          <general site="s" refsite="w" gear=".1 .2 0 0 .5 0" biastype="affine" biasprm="0 -2 -1"/>
          <position site="t" refsite="u" kp="2" kv=".1" gear="0 0 0 1 2 3" forcerange="-9 9"/>
          <motor site="t" refsite="s" gear="1 0 0 0 0 1"/></actuator>""",
    "turning servos": """
        <worldbody><site name="w"/><body pos=".5 0 0"><joint name="b" type="ball" damping=".1"/>
          <geom type="box" size=".1 .2 .3" pos=".3 0 .1"/><site name="t" euler="10 20 30"/></body>
        </worldbody><actuator><position joint="b" kp="30" gear="1 2 3"/>
          <general jointinparent="b" gear=".2 0 0" gainprm="20" biastype="affine"
            biasprm=".1 -20 -.3"/>
          <general joint="b" gear=".2 0 0" gainprm="20" biastype="affine" biasprm="0 -30 -.3"/>
          <position site="t" refsite="w" kp="20" kv=".1" gear="0 0 0 .1 0 0"/>
          <position site="t" refsite="w" kp="2" gear="1 0 0 .1 0 0"/></actuator>""",
    "slider-cranks": """
        <worldbody><site name="w" pos=".1 .2 1" euler="10 20 30"/>
          <body pos="0 0 1"><joint axis="0 1 0"/><geom size=".1" pos=".2 0 0"/>
          <site name="s" pos=".3 .1 0" euler="20 30 40"/>
          <body pos=".5 0 0"><joint type="ball"/><geom size=".1" pos=".3 0 .1"/>
            <site name="t" pos=".3 .1 .3" euler="0 50 10"/></body>
          <body pos="0 .5 0"><joint axis="1 0 0"/><geom size=".1" pos=".3 0 .1"/>
            <site name="u" pos=".1 .2 -.3"/></body></body>
          <body pos="0 .6 1"><freejoint/><geom size=".1"/><site name="f" pos="0 .1 .1"/></body>
        </worldbody>
        <actuator><position cranksite="t" slidersite="u" cranklength=".9" gear="2" kp="3"/>
          <motor cranksite="t" slidersite="s" cranklength=".2"/>
          <velocity cranksite="t" slidersite="w" cranklength="2" gear="-1" kv=".5"/>
          <motor cranksite="w" slidersite="f" cranklength="1" forcerange="-1 1"/></actuator>""",
    "paths": """
        <worldbody><site name="w" pos=".1 .2 1"/>
          <body pos="0 0 1"><joint name="a" axis="0 1 0"/><geom size=".1" pos=".2 0 0"/>
          <site name="s" pos=".3 .1 0"/>
          <geom name="ball" size=".12" pos=".2 .1 .1"/>
          <geom name="rod" type="cylinder" size=".09 .1" pos=".3 -.1 .1" euler="20 40 10"/>
          <site name="above" pos=".2 .1 .4"/><site name="beside" pos=".3 -.1 .4"/>
          <body pos=".5 0 0"><joint name="b" type="ball"/><geom size=".1" pos=".3 0 .1"/>
            <site name="t" pos=".3 .1 .3"/><site name="u" pos=".1 .2 -.3"/></body></body>
          <body pos="0 .6 1"><freejoint/><geom size=".1"/><site name="f" pos="0 .1 .1"/></body>
          <body pos=".2 -.5 1"><joint type="slide"/><geom size=".1"/><site name="v"/></body>
        </worldbody>
        <tendon>
          <spatial name="plain" stiffness="30" damping="2"><site site="w"/><site site="s"/>
            <site site="t"/><pulley divisor="2"/><site site="t"/><site site="f"/>
            <pulley divisor="3"/><site site="u"/><site site="w"/></spatial>
          <spatial name="free" stiffness="9" springlength=".1 .5"><site site="w"/>
            <geom geom="ball"/><site site="t"/></spatial>
          <spatial name="sided" damping="3"><site site="w"/><geom geom="ball" sidesite="above"/>
            <site site="t"/></spatial>
          <spatial name="round" stiffness="20"><site site="v"/><geom geom="rod"/><site site="f"/>
            <geom geom="ball"/><site site="u"/></spatial>
          <spatial name="beside" actuatorfrcrange="-2 2"><site site="f"/>
            <geom geom="rod" sidesite="beside"/><site site="u"/><site site="v"/></spatial>
          <fixed name="sum" stiffness="2"><joint joint="a" coef="2"/></fixed>
        </tendon>
        <actuator><position tendon="plain" kp="9" kv="1" gear="2"/><motor tendon="free"/>
          <position tendon="beside" kp="20" kv="2"/><velocity tendon="beside" kv="3"/>
          <position tendon="sided" kp="5" kv=".3"/><position tendon="sum" kp="2"/>
        </actuator>""",
}
# Bodies of all kinds in a medium that is as thick as they are.
BODIES |= {
    "in oil": '<option density="900" viscosity=".3"/>' + BODIES["several joints"],
    "in wind": '<option density="1.2" wind="30 -20 10"/>' + BODIES["free bodies"],
    "in honey": """<option viscosity="5" wind="1 2 3"/>
        <default><geom mass="1"/></default><worldbody>
        <body><freejoint/><inertial pos=".1 0 .2" mass="2" quat="1 2 3 4" diaginertia=".1 .1 .15"/>
          <body pos="0 .3 0"><joint axis="1 0 1" damping=".1"/><geom type="capsule" size=".1 .3"
            euler="10 20 30"/></body>
          <body><geom size=".01"/></body></body>
        <body pos="1 0 0"><joint type="ball"/><inertial pos="0 0 0" mass="3"
          fullinertia=".3 .4 .5 .01 .02 -.03"/></body>
        <body pos="2 0 0"><joint axis="1 1 0"/><geom type="box" size=".1 .2 .3" pos=".1 .2 0"
          euler="40 20 10"/><geom type="cylinder" size=".1 .3" pos="-.1 0 .2"/></body>
        <body pos="3 0 0"><joint axis="1 0 0" armature=".1"/><geom size=".1"/></body>
        </worldbody>""",
}
CASES = {name: f'<mujoco><option timestep=".005"/>{text}</mujoco>' for name, text in BODIES.items()}
